"""Drift: how numbers move with temperature, with the depth of a dialogue, and over turns."""
