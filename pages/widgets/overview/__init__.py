"""What the overview of a study is drawn of."""
