"""Who rates what: the plan, the draws, the list of each rater, ratings and what had been shown before."""
