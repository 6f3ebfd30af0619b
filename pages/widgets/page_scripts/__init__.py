"""Scripts of a page without a picture."""
