"""What moves over time: a metric over the turns of conversations, a judge over its versions, raters over
their weeks.
"""
