"""Which label of whom counts: labels by unit, by group and as columns, settlements, days, and material for
agreement.
"""
