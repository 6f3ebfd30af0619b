"""Scripts that components share, and the assembly of modules into one script."""
