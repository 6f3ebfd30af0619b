"""How numbers, plurals and nouns are written, in every room above."""
