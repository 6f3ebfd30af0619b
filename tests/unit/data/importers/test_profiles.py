"""Files of other tools: every conversation, label and name of the same study, from each tool's own form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

import pytest

from data.importers.recognition import recognise_here
from data.store.store import Store
from tests.studies.tool_files import (
    FILES,
    FORMS,
    TALKS,
    ToolForm,
    bring,
    stored,
)

CRITERIA = ("CQ1", "CQ3", "CQ8", "CQ9")


# Labels of CQ1, CQ3, CQ8, CQ9: Y yes, N no, - does not apply.
TRUTH = {
    "c1": {"Dr A": "YYY-", "Dr B": "YYY-", "judge": "YYY-"},
    "c2": {"Dr A": "NNYN", "Dr B": "NNNN", "judge": "YNYY"},
    "c3": {"Dr A": "NNN-", "Dr B": "NNN-", "judge": "NNN-"},
    "c4": {"Dr A": "YYY-", "Dr B": "YYY-", "judge": "YYY-"},
    "c5": {"Dr A": "NNY-", "Dr B": "YNY-", "judge": "NNY-"},
    "c6": {"Dr A": "YYY-", "Dr B": "YYY-", "judge": "YYY-"},
}


LABELS = {"Y": "YES", "N": "NO", "-": "NA"}


ANNOTATOR_A = {"dra@hospital.example", "cc3600c5-edfe-5944-9050-2f635b7fc6e0", "Data entry 1", "Dr A"}


WITHOUT_NA = ("promptfoo", "deepeval")  # these pass what does not apply


ONE_EXCHANGE = ("alpaca", "ragas/single", "responses")


@lru_cache
def _talks() -> dict[str, list[list[str]]]:
    """Return the six conversations by id, as the plainest form holds them."""
    rows = map(json.loads, (FORMS / TALKS).read_text().splitlines())
    return {
        row["conversation_id"]: [[each["role"], each["content"]] for each in row["messages"]] for row in rows
    }


def _ids(words: dict[str, list[list[str]]]) -> dict[str, str]:
    """Return the tool's id of a conversation -> the id in TRUTH, told by its first words."""
    first = {talk[0][1]: key for key, talk in _talks().items()}
    return {key: first[next(text for role, text in talk if role == "user")] for key, talk in words.items()}


def _expected(form: ToolForm, giver: str) -> Iterator[tuple[tuple[str, str, str], str]]:
    people = {"DrA": ("Dr A",), "DrB": ("Dr B",)}.get(form.file[-8:-5], ("Dr A", "Dr B"))
    for key, by in TRUTH.items():
        for who in people if giver == "people" else ("judge",):
            for criterion, sign in zip(CRITERIA, by[who], strict=True):
                if giver == "judge" and form.judgements == 6 and criterion != "CQ1":
                    continue
                passes = giver == "judge" and sign == "-" and form.file.startswith(WITHOUT_NA)
                yield (key, who, criterion), "YES" if passes else LABELS[sign]


@pytest.mark.parametrize("form", FILES, ids=lambda form: form.file)
def test_a_file_gives_every_conversation_and_label_that_its_form_holds(store: Store, form: ToolForm) -> None:
    path = FORMS / form.file
    recognition = recognise_here(path)
    assert recognition.importer is not None and recognition.importer.name == "tool"
    assert recognition.title.startswith(f"Recognised: {form.title}, "), recognition.title
    if form.first:
        bring(store, FORMS / form.first)
    report = bring(store, path, **form.answers)
    added = report.added
    assert (added["conversations"], added["ratings"], added["judgements"]) == (
        form.conversations,
        form.ratings,
        form.judgements,
    )
    study = stored(store)
    ids = _ids(study.words)
    for key, words in study.words.items():
        whole = _talks()[ids[key]]
        spoken = [each for each in words if each[0] != "system"]
        assert spoken == (whole[:2] if any(name in form.file for name in ONE_EXCHANGE) else whole)
    ratings = {
        (ids[key], "Dr A" if who in ANNOTATOR_A else "Dr B", criterion): label
        for (key, who, criterion), label in study.ratings.items()
    }
    assert ratings == (dict(_expected(form, "people")) if form.ratings else {})
    assert {who for _, who, _ in study.judgements} <= {form.judge}
    judged = {
        (ids[key], "judge", criterion): label for (key, _, criterion), label in study.judgements.items()
    }
    assert judged == (dict(_expected(form, "judge")) if form.judgements else {})
    again = bring(store, path, **form.answers)
    assert not again.added.total() and again.already.total()
