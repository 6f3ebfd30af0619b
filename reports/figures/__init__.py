"""Blocks of a report as figures: the only place that knows Plotly."""
