"""Adjusted p against scipy, and what adjusting may never do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from scoring.agreement.significance_tests.multiplicity import benjamini_yekutieli, holm
from scoring.bad_input import BadInput

several = st.lists(st.floats(0, 1), min_size=1, max_size=30)
ALL = (holm, benjamini_yekutieli)


@given(several)
def test_the_false_discovery_rate_is_that_of_scipy(p: list[float]) -> None:
    assert benjamini_yekutieli(p) == pytest.approx(list(false_discovery_control(p, method="by")), abs=1e-12)


@given(several)
def test_none_lowers_a_p_and_holm_lies_between_hochberg_and_bonferroni(p: list[float]) -> None:
    hochberg = false_discovery_control(p, method="bh")
    for one, bh, by, step in zip(p, hochberg, benjamini_yekutieli(p), holm(p), strict=True):
        assert by is not None and step is not None
        assert one <= bh + 1e-12 and bh <= by + 1e-12 and by <= 1
        assert bh <= step + 1e-12 and step <= min(1, one * len(p)) + 1e-12


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@pytest.mark.parametrize("adjust", ALL)
def test_a_test_that_could_not_be_made_is_not_counted(adjust) -> None:  # type: ignore[no-untyped-def]
    made = adjust([0.01, None, 0.2])
    assert (made[0], made[2]) == tuple(adjust([0.01, 0.2])) and made[1] is None
    assert adjust([]) == [] and adjust([None]) == [None]


@pytest.mark.parametrize("adjust", ALL)
@pytest.mark.parametrize("p", [[0.1, 1.1], [0.1, -0.1], [0.1, float("nan")], [0.1, "0.2"]])
def test_what_is_no_p_is_refused_by_entry(adjust, p) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadInput, match=r"p\[1\]"):
        adjust(p)
