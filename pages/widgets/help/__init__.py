"""The docs inside the app."""
