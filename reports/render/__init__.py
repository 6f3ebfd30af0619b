"""A report as files."""
