"""What the files of a report are read and checked with."""
