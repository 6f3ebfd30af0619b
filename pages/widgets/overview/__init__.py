"""The parts of the Overview page."""
