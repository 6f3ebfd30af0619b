"""One unit to read: who said what of it, and where they differ."""
