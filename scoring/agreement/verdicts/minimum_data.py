"""How much it takes before agreement on a criterion is believed: below, a verdict is "cannot tell", and every
number is printed with a warning.
"""

from __future__ import annotations

MINIMUM_PAIRS = 30  # of labels: of clinician and judge, or of two clinicians
MINIMUM_CONVERSATIONS = 10  # or persons, where several conversations are of one
