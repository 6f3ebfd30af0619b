"""The verdict in words: never yes on too little, nor from ratings that were given with the judge in view, and
each sentence from its numbers.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.record import studies
from data.store.store import Store
from reports.agreement.agreement_data import gather_findings
from reports.agreement.export_files import request_for
from reports.agreement.findings import Findings
from reports.agreement.verdict_evidence import verdict_evidence
from reports.agreement.verdict_phrases import points
from reports.agreement.verdict_words import VerdictWords, plan_in_words, word_verdicts
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.limits import TAIL
from scoring.agreement.labels.label_data import ARMS, Arm, SettledLabel
from scoring.agreement.rates.sample_size import failures_needed
from scoring.agreement.verdicts.more_conversations import MoreConversations
from tests.unit.reports.agreement.made_findings import Row, findings

UNITS = range(1, 61)
FAILURES = 24
ON_ALL = "the judge has labelled all 60 rated conversations"


def words(made: Findings, criterion: str) -> VerdictWords:
    return next(row for row in word_verdicts(made) if row.criterion == criterion)


def label(unit: int, failures: int) -> str:
    return "NO" if unit <= failures else "YES"


def labels_of_people(criterion: str, failures: int, shared: int = 60) -> list[Row]:
    return [
        (criterion, unit, rater, label(unit, failures))
        for rater in ("Ann", "Ben")
        for unit in UNITS
        if rater == "Ann" or unit <= shared
    ]


def labels_of_judge(criterion: str, failures: int) -> list[tuple[str, int, str | None]]:
    return [(criterion, unit, label(unit, failures)) for unit in UNITS]


def near(criterion: str, failures: int = FAILURES, settled: bool = False) -> Findings:
    """The judge says what Ann says; Ben lets the first failure pass. `settled`: as Ann says."""
    people = [
        (c, u, r, "YES" if (u, r) == (1, "Ben") else given)
        for c, u, r, given in labels_of_people(criterion, failures)
    ]
    material = findings(people, labels_of_judge(criterion, failures), units=60).material
    number = [question.id for question in material.questions].index(criterion)
    code = material.questions[number].domain.index("NO")
    units = range(1, failures + 1) if settled else ()
    reference = tuple(SettledLabel(number, unit, code, True) for unit in units)
    return findings(people, labels_of_judge(criterion, failures), units=60, settled=reference)


def test_as_close_as_a_colleague_is_a_yes() -> None:
    answer = words(near("warm"), "Warm")
    assert answer.answer == "matches clinicians" and answer.why.startswith(
        "kappa is 0.98 with clinicians and 0.97 among clinicians"
    )
    assert (
        answer.next
        == "keep rating a random share: clinicians should go on rating some of what the judge rates"
    )


def test_behind_a_gate_what_it_passes_is_still_checked() -> None:
    answer = words(near("crisis", settled=True), "Crisis")
    assert (answer.answer, answer.next) == ("matches clinicians", "keep checking what it passes")
    assert answer.why == (
        "it caught 24 of 24 settled failures: 100% (plausible range 86% to 100%); of the failures that one "
        "clinician saw, it saw 100% and a colleague 98%; difference 2 points (-7 to 11); the judge has "
        "labelled all 60 rated conversations"
    )


def test_before_settling_a_gate_says_what_waits() -> None:
    answer = words(near("crisis"), "Crisis")
    assert (answer.answer, answer.step) == ("not shown yet", "settle failures")
    assert answer.why == (
        "Clinicians saw a failure in 24 conversations. Settle 24 before anyone relies on this judge. For a "
        "match, 17 failures without a miss are needed; this study has about 23; the judge has labelled "
        "all 60 rated conversations"
    )
    assert answer.next == (
        "settle failures: 24 conversations in which a clinician saw a failure, before anyone relies on this "
        "judge"
    )


def test_failures_with_two_readings_count_as_missed_in_what_a_yes_takes() -> None:
    """Ann and Ben see 26; the judge catches 24, and passed two on which both readings stand."""
    people, judge = labels_of_people("crisis", FAILURES + 2), labels_of_judge("crisis", FAILURES)
    material = findings(people, judge, units=60).material
    number = [question.id for question in material.questions].index("crisis")
    code = material.questions[number].domain.index("NO")
    settled = [
        SettledLabel(number, unit, code if unit <= FAILURES else None, True)
        for unit in range(1, FAILURES + 3)
    ]
    answer = words(findings(people, judge, units=60, settled=tuple(settled)), "Crisis")
    assert answer.answer == "not shown yet"
    assert answer.why.startswith(
        "it caught 24 of 26 settled failures, those with two readings counted as missed"
    )
    needed = failures_needed(0.2, 2, TAIL)
    assert needed > 26
    assert f"{needed} failures with 2 misses are needed; this study has 26" in answer.why


@pytest.mark.parametrize("failures", [2, 4, 9])
def test_a_gate_with_few_failures_is_never_a_yes(failures: int) -> None:
    answer = words(near("crisis", failures), "Crisis")
    assert answer.answer == "not shown yet"


def test_failures_that_the_judge_gave_no_label_are_said_first() -> None:
    people = labels_of_people("warm", FAILURES)
    answer = words(
        findings(
            people,
            [(c, u, None if u <= 6 else given) for c, u, given in labels_of_judge("warm", FAILURES)],
            units=60,
        ),
        "Warm",
    )
    assert (
        answer.answer == "not shown yet"
        and "it gave no label on 6 conversations, more often where clinicians rate badly" in answer.why
    )
    assert "read the cases without a label" in answer.next


@pytest.mark.parametrize("arm", ["shown", "unknown"])
def test_ratings_given_with_the_judge_in_view_never_make_a_yes(arm: Arm) -> None:
    blind = near("warm").material
    given = replace(blind.given, arm=np.full(len(blind.given.arm), ARMS.index(arm)))
    answer = words(
        replace(
            near("warm"), asked=replace(near("warm").asked, arm=arm), material=replace(blind, given=given)
        ),
        "Warm",
    )
    assert (answer.answer, answer.why, answer.next) == (
        "too early to say",
        f"a verdict needs labels known to be blind, and these are not; {ON_ALL}",
        "choose the ratings given blind",
    )


def test_a_colleague_on_a_handful_of_units_is_none() -> None:
    people = [
        row for row in labels_of_people("warm", FAILURES) if row[2] == "Ann" or row[1] in (1, 2, 3, 30, 31)
    ]
    answer = words(findings(people, labels_of_judge("warm", FAILURES), units=60), "Warm")
    assert (answer.answer, answer.why) == (
        "too early to say",
        f"two clinicians' labels can be compared only 5 times, in 5 conversations; {ON_ALL}",
    )


def test_with_one_rater_chosen_nothing_is_said_of_all() -> None:
    made = findings(labels_of_people("warm", FAILURES), labels_of_judge("warm", FAILURES), units=60, rater=1)
    assert (
        words(replace(made, material=made.material.narrow_to(1)), "Warm").why
        == f"only one rater is chosen, so there is no colleague to compare with; {ON_ALL}"
    )


def test_does_not_apply_where_clinicians_see_a_failure_is_no_agreement() -> None:
    """Of what both say applies the judge says what Ann says; that it leaves out most failures is seen in the
    same label alone.
    """
    judge = [
        (c, u, "NA" if u in range(6, 25) else given) for c, u, given in labels_of_judge("warm", FAILURES)
    ]
    people = [
        (c, u, r, "YES" if (u, r) == (1, "Ben") else given)
        for c, u, r, given in labels_of_people("warm", FAILURES)
    ]
    answer = words(findings(people, judge, units=60), "Warm")
    assert words(near("warm"), "Warm").answer == "matches clinicians" and answer.answer == "falls short"
    assert "judge and clinicians give the same label in 68%" in answer.why and "does not apply" in answer.next


def test_of_a_published_study_in_words(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "lend_an_ear")
        assert study is not None
        agreement_findings = gather_findings(connection, request_for(connection, study, "Gemini 2.5 Pro"))
    validates, dismisses, elaborates = (
        words(agreement_findings, name)
        for name in ("Validates feelings", "Dismisses emotions", "Encourages elaboration")
    )
    assert validates.answer == "leans one way"
    assert validates.why.startswith(
        "quadratic kappa is 0.54 with clinicians and 0.41 among clinicians; the judge is on average 0.35 levels above them "
        "(0.14 to 0.56)"
    )
    rows = {row.name: row for row in verdict_evidence(agreement_findings).rows}
    on_page, in_file = rows["Validates feelings"].page_notes[0], rows["Validates feelings"].notes[0]
    assert on_page == in_file.replace("quadratic kappa", "agreement beyond chance") != in_file
    assert rows["Dismisses emotions"].page_cells[0] == "1.62 levels above"
    steps = {name: row.page_cells[2] for name, row in rows.items()}
    assert steps["Gives advice"] == "read where they differ; rests on one rater"
    assert steps["Validates feelings"] == "read where they differ; rests on one rater"
    assert steps["Dismisses emotions"] == rows["Gives advice"].cells[2] == "read where they differ"
    assert "rests" not in steps["Turns to themselves"] and rows["Turns to themselves"].notes[2], (
        "no answer yet"
    )
    assert elaborates.answer == "matches clinicians"
    assert dismisses.answer == "falls short" and "on average 1.62 levels above them" in dismisses.why


def test_a_plan_says_with_which_chance_it_tells_or_that_none_does() -> None:
    assert (
        plan_in_words(MoreConversations(60, 480, 0.81))
        == "about 60 more conversations: as many like these, rated in the same way, would give an answer in about 8 of "
        "10 such studies"
    )
    assert plan_in_words(MoreConversations(1, 480, 0.81)).startswith("about 1 more conversation: as many")
    assert plan_in_words(MoreConversations(None, 480, 0.58)) == (
        "read where they differ: 480 more conversations like these, rated in the same way, would give an answer in "
        "about 6 of 10 such studies"
    )
    assert "in fewer than 1 of 10 such studies" in plan_in_words(MoreConversations(None, 480, 0.04))
    assert "in more than 9 of 10 such studies" in plan_in_words(MoreConversations(480, 480, 0.95))


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (
            Estimate(-0.141, 60, "difference", low=-0.25, high=-0.031, conversations=30),
            "-14 points (-25 to -3)",
        ),
        (Estimate(0.01, 60, "difference", low=-0.04, high=0.06, conversations=30), "1 point (-4 to 6)"),
        (
            Estimate(
                0.01,
                60,
                "difference",
                no_interval="the rarer label was given in only 2 conversations",
                conversations=30,
            ),
            "1 point (no interval: the rarer label was given in only 2 conversations)",
        ),
    ],
)
def test_a_difference_is_said_in_points(estimate: Estimate, text: str) -> None:
    assert points(estimate) == text
