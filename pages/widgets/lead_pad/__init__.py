"""A conversation beside the criteria, for a study lead: to make a gold unit, or to try an instrument."""
