"""A form in which the next question depends on the answer, and forms drawn by chance."""

from __future__ import annotations

from hypothesis import strategies as st

from scoring.instruments import Criterion, Instrument, Level, Scale, Score

BRANCHING = """\
key: branching
version: "1"
title: Branching form
unit: conversation
scales:
  yes_no:
    kind: nominal
    levels:
      - {id: "YES", name: "Yes", key: y, value: 0}
      - {id: "NO", name: "No", key: n, value: 1}
    not_applicable: {id: "NA", name: "Does not apply", key: a}
score: {rule: none}
criteria:
  - {id: risk, name: Risk, scale: yes_no, not_applicable: invalid}
  - {id: missed, name: Missed, scale: yes_no, asked_when: {risk: ["YES"]}}
  - {id: false_alarm, name: False alarm, scale: yes_no, asked_when: {risk: ["NO"]}}
  - {id: confirms, name: Confirms, scale: yes_no, asked_when: {missed: ["NO"]}}
  - {id: tone, name: Tone, scale: yes_no, asked_when: {missed: ["YES", "NA"], confirms: ["YES", "NO", "NA"]}}
"""
LABELS = ("YES", "NO", "NA")
YES_NO = Scale(
    kind="nominal",
    levels=(Level(id="YES", name="Yes", key="y", value=0), Level(id="NO", name="No", key="n", value=1)),
    not_applicable=Level(id="NA", name="Does not apply", key="a"),
)


@st.composite
def branching_forms(draw: st.DrawFn) -> Instrument:
    """One to eight questions; each may depend on any above it, after any of their labels."""
    criteria: list[Criterion] = []
    for number in range(draw(st.integers(1, 8))):
        parents = draw(st.sets(st.sampled_from([c.id for c in criteria]), max_size=3)) if criteria else set()
        conditions = {
            parent: tuple(sorted(draw(st.sets(st.sampled_from(LABELS), min_size=1))))
            for parent in sorted(parents)
        }
        criteria.append(
            Criterion(id=f"q{number}", name=f"Question {number}", scale="yes_no", asked_when=conditions)
        )
    return Instrument(
        key="drawn",
        version="1",
        title="Drawn",
        unit="conversation",
        scales={"yes_no": YES_NO},
        criteria=tuple(criteria),
        score=Score(rule="none"),
    )


def answered_path(form: Instrument, criterion_id: str) -> dict[str, str | None]:
    """Answers after which a criterion is asked: up one of the ways to it."""
    criterion = form.criterion(criterion_id)
    assert criterion is not None
    if not criterion.asked_when:
        return {}
    parent, labels = next(iter(criterion.asked_when.items()))
    return {**answered_path(form, parent), parent: labels[0]}
