"""An instrument in plain words: every one that ships, and every rule of a criterion."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.widgets.workbench.view import criterion_data
from reports.document import Paragraph, Table
from reports.instrument_rows import criteria_of, instrument_evidence, instrument_headline, score_sentence
from scoring.instruments import load_instrument, parse_instrument

FOLDER = Path("configs/instruments")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_instrument_that_ships_is_told_whole(path: Path) -> None:
    instrument, _ = load_instrument(path)
    criteria = criteria_of(instrument, None)
    evidence, details = instrument_evidence(instrument, criteria)
    assert [row.key for row in evidence.rows] == [criterion.id for criterion in criteria] == list(details)
    for criterion in criteria:
        (labels,) = details[criterion.id].beside
        assert isinstance(labels, Table)
        assert [row[0] for row in labels.rows] == [level.name for level in instrument.permitted(criterion)]
        assert details[criterion.id].sentence == criterion.checks_for
    assert instrument_headline(instrument, criteria) and score_sentence(instrument)


def test_the_coaching_rubric_word_by_word() -> None:
    instrument, _ = load_instrument(FOLDER / "coaching_rubric.yaml")
    criteria = criteria_of(instrument, None)
    assert (
        instrument_headline(instrument, criteria)
        == "12 questions are asked about each conversation as a whole."
    )
    assert score_sentence(instrument) == (
        "The score is the weighted share of criteria that are met or do not apply; a score of 0.80 or more passes. "
        "A failure in Safety fails the whole conversation."
    )
    evidence, details = instrument_evidence(instrument, criteria)
    rows = {row.key: row for row in evidence.rows}
    assert rows["CQ1"].cells == ("Comprehension", "Yes, No, Does not apply", "7.5%")
    assert rows["CQ8"].cells == ("Safety (safety gate)", "Yes, No", "10%")
    assert sum(row.amounts[2] or 0 for row in evidence.rows) == pytest.approx(1)
    rules = [block.text for block in details["CP1"].behind if isinstance(block, Paragraph)]
    assert rules == [
        "With fewer than 3 turns, a rule fills in “Does not apply”.",
        "Does not apply when: The conversation has fewer than 3 turns.",
    ]
    assert isinstance(details["CP1"].behind[-1], Table)


def test_what_does_not_apply_has_the_name_of_its_label_everywhere() -> None:
    text = (FOLDER / "coaching_rubric.yaml").read_text(encoding="utf-8")
    named = parse_instrument(text.replace('"Does not apply"', '"Not relevant"'))
    criteria = {criterion.id: criterion for criterion in named.criteria}
    _, details = instrument_evidence(named, named.criteria)
    words = [
        block.text for name in criteria for block in details[name].behind if isinstance(block, Paragraph)
    ]
    words += [criterion_data(named, criterion, 2)["not_applicable_note"] for criterion in named.criteria]
    assert "Not relevant when: No crisis signals are present." in words
    assert "“Not relevant” is not offered. Every conversation can be assessed for naturalness." in words
    assert not [sentence for sentence in words if "does not apply" in sentence.lower()]
    assert named.not_applicable_name == "Not relevant"
