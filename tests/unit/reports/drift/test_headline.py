"""The sentence that Drift opens with, of simulated studies: what was planted, and never more than is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from data.store.store import Store
from reports.drift.agreement_by_date import PeriodView
from reports.drift.level_words import mark_change
from reports.drift.what_moved import headline, rows
from scoring.drift.findings import Finding, Kind, cannot_tell
from tests.unit.reports.drift.test_period_agreement import first, shown


def with_findings(view: PeriodView, **changed: Finding) -> PeriodView:
    """The same view in which these were found; `changed` by kind."""
    findings = [changed.get(finding.kind, finding) for finding in view.findings]
    other = replace(view)
    other.__dict__["findings"] = findings
    return other


def named(kind: Kind) -> Finding:
    return Finding(kind, 0.0001, 120, -1, corrected=0.001)


def in_full(sentences: tuple[str, str]) -> str:
    return " ".join(filter(None, sentences))


def test_where_nothing_moves_it_says_only_that_nothing_is_seen_to(store: Store) -> None:
    view = shown(store, "none", 1)
    assert in_full(headline(view, {})) == "No change is clear over 12 weeks; the judge could not be tested."
    assert [row.shape for row in rows(view, {})].count("unknown") == 1
    assert len(rows(view, {})) == 5 and not [row for row in rows(view, {}) if row.shape == "no"]


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("mix", "The mix of cases changed"),
        ("raters", "A rater changed"),
        ("model", "The model under study changed"),
    ],
)
def test_what_was_planted_is_the_headline_and_stands_in_no_row_again(
    store: Store, kind: str, sentence: str
) -> None:
    view = shown(store, kind, first(kind)[0])
    text = in_full(headline(view, {}))
    assert text.startswith(sentence) and text.count("changed") == 1
    assert not [row for row in rows(view, {}) if row.words.startswith(sentence)]
    assert len(rows(view, {})) == 4


def test_a_rater_has_the_name_that_the_page_gives_and_else_none(store: Store) -> None:
    number, made = first("raters")
    view = shown(store, "raters", number)
    moving = next(finding for finding in view.movers if finding.kind == "raters").who
    assert moving is not None and made
    assert "a rater gives lower levels" in in_full(headline(view, {}))
    assert "Rater K7 gives lower levels" in in_full(headline(view, {moving: "Rater K7"}))


def test_where_nothing_could_be_tested_nothing_is_claimed(store: Store) -> None:
    view = shown(store, "none", 1)
    untold = {finding.kind: cannot_tell(finding.kind, "too few", 0) for finding in view.findings}
    assert in_full(headline(with_findings(view, **untold), {})) == (
        "It is too early to say from 12 weeks whether anything changed."
    )


def test_agreement_that_moves_for_no_seen_reason_is_said_as_that(store: Store) -> None:
    view = with_findings(shown(store, "none", 1), trend=named("trend"))
    assert in_full(headline(view, {})) == (
        "Agreement with the judge changed over 12 weeks; no cause is clear."
    )
    assert mark_change(view) is None, "no week is named, so none is marked"


def test_two_that_moved_are_both_named(store: Store) -> None:
    view = with_findings(shown(store, "none", 1), judge=named("judge"), model=named("model"))
    text = in_full(headline(view, {}))
    assert (
        "The judge changed: over all its answers, its levels fall" in text
        and "The model under study changed" in text
    )
    assert [row.shape for row in rows(view, {})].count("no") == 0 and len(rows(view, {})) == 3
