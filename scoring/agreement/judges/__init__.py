"""Judges compared: with reference labels, with each other, between versions and between families."""
