"""Computing the metrics of a study: what applies, once for the same inputs, with what failed listed."""

from runs.scoring.run import ScoringResult, score_study

__all__ = ["ScoringResult", "score_study"]
