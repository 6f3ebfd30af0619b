"""Asking a model: the engine that paces calls, budgets, rate limits, and what stops a run."""
