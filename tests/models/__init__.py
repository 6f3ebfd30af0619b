"""Tiny real models."""
