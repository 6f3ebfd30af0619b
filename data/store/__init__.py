"""The database: open and migrate it, one transaction per write, the append-only trail, triggers, erasable
text, and caches between reads.
"""
