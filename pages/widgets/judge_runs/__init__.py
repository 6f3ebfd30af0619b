"""The parts of the page Runs."""
