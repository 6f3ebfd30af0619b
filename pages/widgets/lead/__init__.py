"""The parts of the lead's page."""
