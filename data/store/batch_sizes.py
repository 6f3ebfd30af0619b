"""Batch sizes for queries of the store."""

MAX_IDS_PER_QUERY = 500  # the store limits the values in one query
ROWS_PER_FETCH = 10_000  # rows per batch of objects
