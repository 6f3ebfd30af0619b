"""Compute the metrics of a study: those that apply, once for the same inputs, with a list of failures."""

from runs.scoring.run import ScoringResult, score_study

__all__ = ["ScoringResult", "score_study"]
