"""The raters of a study in a table: how far each is, and the link to hand out."""
