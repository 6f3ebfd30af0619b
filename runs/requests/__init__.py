"""What models are asked beside the judgements of units: whether one text follows from another, and trials."""
