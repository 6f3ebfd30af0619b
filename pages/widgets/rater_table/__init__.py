"""The raters of a study in a table: their progress, and the link to give them."""
