"""Who rates what, and how disagreements are settled."""
