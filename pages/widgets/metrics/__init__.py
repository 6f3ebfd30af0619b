"""The Metrics page: its answer, and the details of each metric."""
