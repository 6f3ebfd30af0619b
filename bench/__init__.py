"""Figures, each beside its floor of the same run. `make bench`, or `python -m bench NAME`. Never part of the
tests.
"""
