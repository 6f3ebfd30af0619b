"""Plain words that a page shows instead of a coefficient's name, and that name for readers who want to look
it up.
"""

from __future__ import annotations

from reports.document import PageHead

BEYOND_CHANCE = "agreement beyond chance"
TERMS = {
    "kappa": "Cohen's kappa",
    "quadratic kappa": "quadratic kappa: differences are weighted by the square of their size in levels",
    "alpha, nominal": "Krippendorff's alpha",
    "alpha, ordinal": "Krippendorff's alpha, ordinal: differences are weighted by the levels between them",
}
BY_LEVELS = ("quadratic kappa", "alpha, ordinal")  # a near miss costs less than a far one


def plain_name(coefficient: str) -> str:
    """Return the plain name of kappa or alpha; a name that is no coefficient, such as "the same label",
    stays.
    """
    return BEYOND_CHANCE if coefficient in TERMS or coefficient == "alpha" else coefficient


def axis_head(coefficients: list[str]) -> PageHead:
    """Return the heading for an axis of these coefficients; near misses are mentioned where any counts
    them.
    """
    by_levels = [coefficient for coefficient in coefficients if coefficient in BY_LEVELS]
    where = "" if len(by_levels) == len(coefficients) else " where labels are levels"
    near = f", near misses cost less{where}" if by_levels else ""
    term = "; ".join(TERMS.get(coefficient, coefficient) for coefficient in coefficients)
    return PageHead(
        f"{BEYOND_CHANCE.capitalize()}{near}: 0 is chance, 1 is always the same label",
        f"{term[:1].upper()}{term[1:]}.",
    )
