"""Metrics: what was computed of a study, of its conversations and of the labels of its judges."""
