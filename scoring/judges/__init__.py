"""Asking a model for labels: which judges there are, what they are asked, and how their replies are read. The
only network to a model.
"""
