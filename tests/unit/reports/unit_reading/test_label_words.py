"""What stands beside one label."""

from __future__ import annotations

from dataclasses import replace

from data.labels.unit_labels import UnitLabel
from reports.unit_reading.label_words import after_what, words_beside
from scoring.transcripts import Message

LABEL = UnitLabel("warm", "Ann", False, "YES", "given", "blind", None, rater=1)
NAMES = {"YES": "Yes", "NO": "No", "NA": "Does not apply"}


def test_everything_that_was_given_with_a_label_is_said() -> None:
    label = replace(
        LABEL,
        text="cold",
        earlier=(("NO", "given"), (None, "other")),
        reason="misread",
        also=("NO", "NA"),
        confidence=1,
    )
    assert words_beside(label, NAMES, None) == (
        "cold · Before: No, another reason (see note) · Changed because: misread · "
        "Also defensible: No, Does not apply · Unsure"
    )
    assert words_beside(LABEL, NAMES, None) == ""


def test_evidence_is_quoted_as_the_browser_counts() -> None:
    messages = [Message("user", "hello"), Message("assistant", "👋 take a slow breath")]
    label = replace(LABEL, evidence=((1, 3, 14), (7, 0, 1)))
    assert words_beside(label, {}, messages) == "Evidence: “take a slow”"
    assert words_beside(label, {}, None) == ""


def test_the_judge_was_seen_only_where_everybody_who_changed_a_label_saw_it() -> None:
    revealed, from_file, page = (
        replace(LABEL, shown=shown) for shown in ("revealed", "judge_visible", "page")
    )
    assert after_what(revealed, from_file) == "after seeing the judge's labels"
    assert after_what(revealed, page) == after_what(page) == "after seeing labels of others"
