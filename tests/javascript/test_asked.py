"""Browser and server ask the same questions: any form without loops, any answers."""

from __future__ import annotations

import json
import subprocess

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.asked_questions import asked_ids
from scoring.instruments import Instrument
from tests.javascript.node import FOLDER, run_node
from tests.studies.branching import branching_forms

LABELS = st.sampled_from(["YES", "NO", "NA", None])


@settings(max_examples=15, deadline=None)
@given(st.lists(branching_forms(), min_size=20, max_size=40), st.data())
def test_the_asked_questions_are_the_same(forms: list[Instrument], data: st.DataObject) -> None:
    cases = [
        (form, data.draw(st.fixed_dictionaries({c.id: LABELS for c in form.criteria}))) for form in forms
    ]
    text = json.dumps(
        [
            [
                [
                    {"id": c.id, "asked_when": {k: list(v) for k, v in c.asked_when.items()}}
                    for c in form.criteria
                ],
                labels,
            ]
            for form, labels in cases
        ]
    )
    out = run_node(FOLDER / "asked_sets.js", input=text, stdout=subprocess.PIPE, check=True).stdout
    assert json.loads(out) == [sorted(asked_ids(form.criteria, labels)) for form, labels in cases]
