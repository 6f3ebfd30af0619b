"""Neural models, each behind a small interface. The only room that imports torch, and only when first
used.
"""
