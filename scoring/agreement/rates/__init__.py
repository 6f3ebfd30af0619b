"""How often something passes: sensitivity, specificity, corrected rates, and how many labels they need."""
