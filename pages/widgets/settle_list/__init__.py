"""The list of labels to settle, one row per label, with keys to move and open."""
