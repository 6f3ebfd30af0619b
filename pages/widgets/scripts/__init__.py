"""What the scripts of several components share, and how their modules become one script."""
