"""The evidence table: verdicts as shapes and words, estimates on one axis, and details behind each row."""
