"""Ask models about things other than judgements of units: whether one text follows from another, and
trials.
"""
