"""A picture of a report on a page: the same SVG as in its file."""
