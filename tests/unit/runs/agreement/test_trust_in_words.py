"""In a word, may it be trusted: never yes on too little, nor from ratings that were given with the judge in view."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from runs.agreement.trust import _more, _open, trust_section

from data import studies
from data.store import Store
from runs.agreement.findings import Findings, gather
from runs.agreement.taken_away import asked_of
from scoring.agreement.estimate import Estimate
from scoring.agreement.material import ARMS, Arm
from tests.unit.runs.agreement.made_findings import Row, findings

UNITS = range(1, 41)


def word(found: Findings, criterion: str) -> tuple[str, str, str]:
    table = trust_section(found).blocks[0]
    row = next(row for row in table.rows if row[0] == criterion)  # type: ignore[union-attr]
    return str(row[1]), str(row[2]), str(row[3])


def label(unit: int, failures: int) -> str:
    return "NO" if unit <= failures else "YES"


def rated(criterion: str, failures: int, shared: int = 40) -> list[Row]:
    return [(criterion, unit, rater, label(unit, failures)) for rater in ("Ann", "Ben") for unit in UNITS if rater == "Ann" or unit <= shared]


def said(criterion: str, failures: int) -> list[tuple[str, int, str | None]]:
    return [(criterion, unit, label(unit, failures)) for unit in UNITS]


def near(criterion: str, failures: int = 20) -> Findings:
    """The judge says what Ann says; Ben lets the first failure pass."""
    people = [(c, u, r, "YES" if (u, r) == (1, "Ben") else one) for c, u, r, one in rated(criterion, failures)]
    return findings(people, said(criterion, failures))


def test_as_close_as_a_colleague_is_a_yes() -> None:
    assert word(near("warm"), "Warm")[0] == "yes, like a colleague"


def test_a_gate_with_many_failures_caught_is_a_yes_and_says_nothing_of_few() -> None:
    found = word(near("crisis"), "Crisis")
    assert found[0] == "yes, like a colleague" and "few" not in found[2]


@pytest.mark.parametrize("failures", [2, 4, 9])
def test_a_gate_with_few_failures_is_never_a_yes(failures: int) -> None:
    found = word(near("crisis", failures), "Crisis")
    assert found[0] == "cannot tell yet" and found[1] == f"clinicians found {failures} failures that the judge labelled; fewer than 10 say little"


def test_a_failure_that_the_judge_gave_no_label_is_never_a_yes() -> None:
    people = [(c, u, r, "YES" if (u, r) == (2, "Ben") else one) for c, u, r, one in rated("crisis", 20)]
    found = word(findings(people, [(c, u, None if u == 1 else one) for c, u, one in said("crisis", 20)]), "Crisis")
    assert found[:2] == ("not shown yet", "the judge gave no label on 1 of 20 failures")


@pytest.mark.parametrize("arm", ["shown", "unknown"])
def test_ratings_given_with_the_judge_in_view_never_make_a_yes(arm: Arm) -> None:
    blind = near("warm").material
    given = replace(blind.given, arm=np.full(len(blind.given.arm), ARMS.index(arm)))
    found = word(replace(near("warm"), asked=replace(near("warm").asked, arm=arm), material=replace(blind, given=given)), "Warm")
    assert found == ("cannot tell", "trust rests on labels given blind, and these are others", "choose the ratings given blind")


def test_a_colleague_on_a_handful_of_units_is_none() -> None:
    people = [(c, u, r, "YES" if (u, r) == (1, "Ben") else one) for c, u, r, one in rated("warm", 20) if r == "Ann" or u in (1, 2, 3, 30, 31)]
    found = word(findings(people, said("warm", 20)), "Warm")
    assert found[0] == "cannot tell yet" and found[1] == "only 5 pairs of two clinicians, from 5 conversations"


def test_with_one_rater_chosen_nothing_is_said_of_all() -> None:
    found = findings(rated("warm", 20), said("warm", 20), rater=1)
    assert word(replace(found, material=found.material.only(1)), "Warm")[1] == "only one rater is chosen, so there is no colleague to compare with"


def test_does_not_apply_where_clinicians_see_a_failure_is_no_agreement() -> None:
    """Of what both say applies the judge says what Ann says; that it leaves out most failures is seen in the same label alone."""
    made = near("warm")
    rows = [(c, u, "NA" if u in range(6, 21) else one) for c, u, one in said("warm", 20)]
    people = [(c, u, r, "YES" if (u, r) == (1, "Ben") else one) for c, u, r, one in rated("warm", 20)]
    found = word(findings(people, rows), "Warm")
    assert word(made, "Warm")[0].startswith("yes") and found[0] == "no" and "the same label with clinicians on 61%" in found[1]


def test_of_a_published_study_in_a_word(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "lend_an_ear")
        assert study is not None
        found = gather(connection, asked_of(connection, study, "Gemini 2.5 Pro"))
    said = {name: word(found, name) for name in ("Validates feelings", "Demonstrates understanding", "Encourages elaboration", "Dismisses emotions")}
    assert said["Validates feelings"][:2] == ("like a colleague, but it leans one way", "quadratic kappa 0.54 with clinicians, 0.41 among them; it lies 0.35 "
                                              "levels above them on average (0.14 to 0.56)")
    assert said["Demonstrates understanding"][0] == "like a colleague, but how far colleagues agree is unsure", "0.42 (0.06 to 0.79)"
    assert said["Encourages elaboration"][0] == "yes, like a colleague"
    assert "difference -38 points (-52 to -24); it lies 1.62 levels above them" in said["Dismisses emotions"][1]
    assert said["Dismisses emotions"][0] == "no" and "the same label with clinicians on 21%" in said["Dismisses emotions"][1] and "59%" in said["Dismisses emotions"][1]


@pytest.mark.parametrize(("value", "half", "said"), [
    (-0.15, 0.25, "about 36 more conversations"),  # 0.15 below 0 is nearer than 0.05 above the margin would ever be
    (-0.05, 0.10, "about 60 more conversations"),
    (-0.30, 0.31, "about 2 more conversations"),
    (-0.05, 0.40, "so near the border"),
])
def test_how_many_more_would_tell_is_of_the_nearer_of_two_answers(value: float, half: float, said: str) -> None:
    difference = Estimate(value, 60, "difference", low=value - half, high=value + half, conversations=20)
    assert said in _more(difference, _open(difference))
