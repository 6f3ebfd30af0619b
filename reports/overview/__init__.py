"""A study at a glance: what needs its lead."""
