"""Estimates with their intervals: the jackknife over conversations or persons, limits, proportions."""
