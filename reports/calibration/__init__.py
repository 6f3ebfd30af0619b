"""Calibration: how far raters agreed before they talked a set over and after it. Nothing of the judge."""
