"""A tour of four steps for a rater and for a study lead: on the first visit, and again whenever wanted."""
