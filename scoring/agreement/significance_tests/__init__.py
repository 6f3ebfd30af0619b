"""Significance tests: paired labels, trends, the alternative-annotator test, several tests at once."""
