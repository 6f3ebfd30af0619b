"""What every interval and every test goes by."""

CONFIDENCE = 0.95  # of an interval
ALPHA = 0.05  # a p value below it, after Holm (1979) where several stand together, speaks against chance
