"""Charts as still pictures (SVG): where everything stands in them. Nothing here knows Plotly."""
