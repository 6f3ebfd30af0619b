"""What needs the lead is said where it is so, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from data.labels.work_overview import RaterRow
from data.record.judge_runs import JudgeRun, JudgeRunOptions
from data.settling.escalations import Escalation
from reports.agreement.findings import Findings
from reports.drift.anchor_rounds import JudgeChange
from reports.overview.needs import OF_BEFORE, Need, list_needs
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.labels.label_data import SettledLabel
from scoring.drift.anchor_answers import RoundDifference
from tests.unit.data.bench import GATED
from tests.unit.reports.agreement.made_findings import findings

NOW = "2026-11-23T12:00:00.000+00:00"
RATER = RaterRow(
    1, "Ann", "Rater K7", 4, 0, 0, 0, 0, 0, "2026-11-22T12:00:00.000+00:00", 4, 2.0, "", True, False, 0
)
RUN = JudgeRun(
    1, 1, "J", "page", JudgeRunOptions(), NOW, 1, "ended", False, NOW, "finished", "", None, None, 5, 5
)
PLAIN = GATED.replace("gate: true", "gate: false")
NOTE = Escalation(1, 1, 1, None, "unclear", "what is warm?", 1, "Ann", NOW, "event")


def labelled(judge: dict[str, str]) -> Findings:
    """80 conversations, two clinicians who agree; of a criterion in `judge` the judge says the same, the other
    label, or the other label on every fourth.
    """
    labels = {unit: "NO" if unit % 2 else "YES" for unit in range(1, 81)}
    other = {"NO": "YES", "YES": "NO"}
    people = [
        (criterion, unit, rater, given)
        for criterion in judge
        for unit, given in labels.items()
        for rater in ("Ann", "Ben")
    ]
    people += [(criterion, 1, "Cem", other[labels[1]]) for criterion in judge]
    given_by_judge = [
        (criterion, unit, other[given] if how == "other" or (how == "fourth" and unit % 4 < 2) else given)
        for criterion, how in judge.items()
        for unit, given in labels.items()
    ]
    return findings(people, given_by_judge, units=80, instrument=PLAIN)


def needs(study: Findings | None = None, **given: object) -> list[Need]:
    usual: dict[str, object] = {
        "units": 80,
        "to_settle": 0,
        "notes": [],
        "raters": [RATER],
        "runs": [],
        "change": None,
        "now": NOW,
    }
    return list_needs(study or labelled({"warm": "same"}), **{**usual, **given})  # type: ignore[arg-type]


def test_where_nothing_waits_nothing_is_said() -> None:
    assert needs() == [] == needs(runs=[RUN])


def test_without_conversations_nothing_else_is_asked_for() -> None:
    assert [need.page for need in needs(units=0, to_settle=4, notes=[NOTE])] == ["import"]


def test_labels_to_settle_are_counted() -> None:
    [need] = needs(to_settle=1)
    assert (need.title, need.page) == ("1 label to settle", "settle")
    assert needs(to_settle=1_200)[0].title == "1,200 labels to settle"


def test_notes_come_first_and_danger_is_said() -> None:
    first, second = needs(notes=[NOTE, replace(NOTE, kind="risk")], to_settle=3)
    assert first.title == "2 notes to you" and first.why == "1 says that somebody may be in danger"
    assert second.page == "settle"
    assert needs(notes=[NOTE])[0].why == ""


@pytest.mark.parametrize(
    ("state", "outcome", "said"),
    [
        ("ended", "finished", False),
        ("ended", "cancelled", False),
        ("ended", "budget", True),
        ("interrupted", None, True),
        ("running", None, False),
        ("waiting", None, False),
    ],
)
def test_only_a_run_that_broke_off_is_named(state: str, outcome: str | None, said: bool) -> None:
    run = replace(RUN, state=state, outcome=outcome, said="No budget is left.")  # type: ignore[arg-type]
    assert bool(needs(runs=[run])) is said
    assert needs(runs=[RUN, run]) == [], "a later one that went well stands for it"


def test_of_criteria_on_which_it_is_not_like_a_colleague_the_worst_is_named_and_others_counted() -> None:
    [need] = needs(labelled({"warm": "same", "safe": "fourth", "crisis": "other"}))
    assert (need.criterion, need.page) == ("crisis", "agreement")
    assert (need.title, need.why) == ("Crisis: falls short", "and 1 more criterion")
    [need] = needs(labelled({"warm": "same", "safe": "fourth"}))
    assert (need.title, need.why) == ("Safe: falls short", "")
    [need] = needs(labelled({"warm": "other", "safe": "fourth", "crisis": "other"}))
    assert need.why == "and 2 more criteria"


def test_a_safety_gate_that_is_not_settled_is_named_with_how_far_it_is() -> None:
    labels = {unit: "NO" if unit % 4 == 0 else "YES" for unit in range(1, 81)}
    people = [("crisis", unit, rater, given) for unit, given in labels.items() for rater in ("Ann", "Ben")]
    judge = [("crisis", unit, given) for unit, given in labels.items()]
    [need] = needs(findings(people, judge, units=80))
    assert (need.title, need.why, need.page, need.criterion) == (
        "Settle 20 conversations in which a clinician saw a failure",
        "Crisis",
        "settle",
        "crisis",
    )
    some = tuple(SettledLabel(2, unit, 1, True) for unit in range(4, 40, 4))
    [need] = needs(findings(people, judge, units=80, settled=some))
    assert (need.title, need.why) == (
        "Settle 11 conversations in which a clinician saw a failure",
        "Crisis; 9 of 20 are settled",
    )
    everything = tuple(SettledLabel(2, unit, 1, True) for unit in range(4, 81, 4))
    assert needs(findings(people, judge, units=80, settled=everything)) == []


def test_a_rater_is_named_by_code_after_a_week_and_only_with_units_of_their_own() -> None:
    quiet = replace(RATER, held=14, last="2026-11-14T11:00:00.000+00:00")
    [need] = needs(raters=[quiet])
    assert (need.title, need.why) == (
        "Rater K7 has not rated for 9 days",
        "14 conversations reserved for this rater",
    )
    assert needs(raters=[replace(quiet, held=0)]) == []
    assert needs(raters=[replace(quiet, last="2026-11-17T12:00:00.000+00:00")]) == []
    assert needs(raters=[replace(quiet, last=None)]) == []
    assert "Ann" not in str(needs(raters=[quiet]))


def test_a_judge_that_changed_is_named_before_what_waits() -> None:
    share = Estimate(0.5, 50, "made")
    difference = RoundDifference(50, share, share, share, 3, 40, 0.001)
    listed_needs = needs(change=JudgeChange(6, True, difference), to_settle=2)
    assert [(need.title, need.page) for need in listed_needs] == [
        ("The judge now answers differently", "drift"),
        ("2 labels to settle", "settle"),
    ]
    titles = [needs(change=JudgeChange(number, False, difference))[0].title for number in (4, 0)]
    assert titles == [
        "In round 4 the judge answered differently",
        "In its labels in the study the judge answered differently",
    ]
    changed = JudgeChange(4, True, difference)
    assert needs(change=changed)[0].why == OF_BEFORE
    assert needs(findings(), change=changed)[0].why == "", "nothing was rated, and no verdict rests on it"


def test_nobody_has_rated_is_said_of_no_study_with_labels() -> None:
    nobody = replace(RATER, committed=0, last=None)
    assert [need.title for need in needs(findings(), raters=[])] == ["Nobody has rated yet"]
    assert [need.title for need in needs(findings(), raters=[nobody])] == ["Nobody has rated yet"]
    assert needs(labelled({"warm": "same"}), raters=[]) == [], "labels from a file are labels"
    assert needs(findings(), raters=[replace(nobody, practice=2)]) == []
