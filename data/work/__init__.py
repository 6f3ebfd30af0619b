"""Who rates what: the plan of a study's work, the draws, each rater's list, and how disagreements are
settled.
"""
