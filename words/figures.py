"""Write numbers as a reader expects them: halves round up, as by hand, while Python rounds them to the even
digit.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def decimal(value: float, digits: int) -> str:
    """Return the number with so many digits: -0.125 with two is -0.13; a rounded zero has no sign."""
    rounded = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{abs(rounded) if rounded == 0 else rounded:f}"


def duration(minutes: float) -> str:
    """Return minutes with one digit; "under 0.1" for a moment, because 0.0 would look like nothing."""
    return "under 0.1" if 0 <= minutes < 0.05 else decimal(minutes, 1)


def signed_decimal(value: float, digits: int) -> str:
    """Return the number with so many digits and its sign, "+0.12" or "-0.12"; a rounded zero has none."""
    text = decimal(value, digits)
    return f"+{text}" if float(text) > 0 else text


def money(costs: Mapping[str, int]) -> str:
    """Return amounts by currency from billionths: "1.20 USD and 0.30 EUR"; "" if there are none."""
    return " and ".join(f"{decimal(nano / 1e9, 2)} {currency}" for currency, nano in sorted(costs.items()))


def moment(at: str) -> str:
    """Return "2026-11-21 12:04:08" for the store's "2026-11-21T12:04:08.589+00:00"; always UTC."""
    return at[:19].replace("T", " ")


def date_in_words(day: str) -> str:
    """Return "23 March 2026" for "2026-03-23", and "March 2026" for "2026-03"."""
    year, month, *rest = day.split("-")
    return " ".join([*(str(int(number)) for number in rest), MONTHS[int(month) - 1], year])


def percent(value: float) -> str:
    """Return a share as whole percent: 0.256 is "26%".

    One digit if it would otherwise read as 0% or 100% and is not: 0.001 is "0.1%", 0.0001 is "0.0%".
    """
    shown = decimal(100 * value, 0)
    return f"{decimal(100 * value, 1) if shown in {'0', '100'} and value not in {0.0, 1.0} else shown}%"


def letters(number: int) -> str:
    """Return "A" for 0, then "B", ... "Z" for 25, "AA" for 26, "AB", ..."""
    return (letters(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


def chance(p: float) -> str:
    """Return a p value with three digits, "below 0.001" for a smaller one, never 0."""
    return "below 0.001" if p < 0.001 else decimal(p, 3)
