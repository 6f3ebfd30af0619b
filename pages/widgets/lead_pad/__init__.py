"""A conversation next to the criteria, for a study lead to make a gold unit or try an instrument."""
