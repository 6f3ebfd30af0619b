"""Judges: who each judge of a study is, what it said, whether it repeats itself, and all of them compared."""
