"""The database: opening and migrating it, one transaction per write, the append-only trail, guards, erasable
text and what is kept between reads.
"""
