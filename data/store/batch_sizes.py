"""How much is asked of the store at a time."""

MAX_IDS_PER_QUERY = 500  # the store has a limit of values in one question
ROWS_PER_FETCH = 10_000  # rows of which objects are made together
