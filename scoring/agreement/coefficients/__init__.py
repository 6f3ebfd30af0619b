"""Coefficients of agreement: percent, kappa, Gwet, Krippendorff, ICC and what they are made of."""
