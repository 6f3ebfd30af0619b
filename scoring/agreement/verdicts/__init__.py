"""May the judge be trusted on a criterion: the rule, its evidence, its cautions, what would decide it."""
