"""Failures at a safety gate: what the judge catches and misses, and what is to be read."""
