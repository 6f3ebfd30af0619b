"""Tests of data/work."""
