"""What is known of a study: conversations, units, raters, judgements, calls of judges, and computed
numbers.
"""
