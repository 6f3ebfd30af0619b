"""The parts of the page that imports."""
