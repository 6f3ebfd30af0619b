"""The list of labels that wait to be settled: a row a label, moved through and opened with the keyboard."""
