"""Progress: how the work of a study stands. Nothing of agreement."""
