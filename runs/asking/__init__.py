"""Ask a model: the engine that controls pace, budget and rate limits, and what stops a run."""
