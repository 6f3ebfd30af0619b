"""Read any table of conversations or labels by a mapping that says what its columns and cells mean."""
