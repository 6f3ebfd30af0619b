"""Words for a coefficient, given only where the lower limit of its interval reaches them.

Cicchetti (1994), for kappa and its like: below .40 poor, .40 to .59 fair, .60 to .74 good, .75 and above excellent. Krippendorff (2019), for alpha:
.800 and above firm, .667 to .799 tentative conclusions. A benchmark met by the estimate and not by its lower limit may be luck (Gwet 2014).
"""

from __future__ import annotations

from scoring.agreement.estimate import Estimate

CICCHETTI = ((0.75, "excellent"), (0.60, "good"), (0.40, "fair"))
KRIPPENDORFF = ((0.800, "firm enough for conclusions"), (0.667, "enough for tentative conclusions"))


def band(estimate: Estimate) -> str | None:
    """The word, or None where the lower limit reaches none or there is no interval."""
    bands = KRIPPENDORFF if "alpha" in estimate.method else CICCHETTI
    return next((word for least, word in bands if estimate.low is not None and estimate.low >= least), None)
