"""The parts of the page of target plans."""
