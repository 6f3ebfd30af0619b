"""The evidence table: verdicts as shapes and words, estimates on one axis, and what opens behind a row."""
