"""The workbench of the review page: its data, its events, and the component."""
