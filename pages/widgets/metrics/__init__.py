"""The Metrics page: its answer, and what opens behind a metric."""
