"""Coefficients in plain words: each is named, and a near miss is spoken of where it counts as one."""

from __future__ import annotations

import pytest

from reports.agreement.coefficient_words import axis_head, plain_name

SCALE = ": 0 is chance, 1 is always the same label"


@pytest.mark.parametrize(
    "coefficients, words, term",
    [
        (["kappa"], "Agreement beyond chance", "Cohen's kappa."),
        (["quadratic kappa"], "Agreement beyond chance, near misses cost less", "Quadratic kappa: "),
        (
            ["kappa", "quadratic kappa"],
            "Agreement beyond chance, near misses cost less where labels are levels",
            "Cohen's kappa; quadratic kappa: ",
        ),
        (["alpha, nominal"], "Agreement beyond chance", "Krippendorff's alpha."),
    ],
)
def test_an_axis_in_plain_words(coefficients: list[str], words: str, term: str) -> None:
    head = axis_head(coefficients)
    assert head.name == f"{words}{SCALE}" and head.term.startswith(term)


def test_every_coefficient_that_a_verdict_goes_by_has_plain_words() -> None:
    for name in ("kappa", "quadratic kappa", "alpha", "alpha, nominal", "alpha, ordinal"):
        assert plain_name(name) == "agreement beyond chance"
    assert plain_name("the same label") == "the same label"
