"""Curves of the VERA-MH sample made up for tests, because scoring its 90 conversations takes minutes: gpt4o
falls, the others stay.
"""

from __future__ import annotations

import numpy as np

from data.record import conversations, studies
from data.record.metrics import MetricSubject, MetricValue, inputs_hash, keep
from data.store.store import Store

FALL = -0.03
FURTHEST = 7  # the turn at which every conversation of gpt4o is furthest from its plan


def put_curves(store: Store, key: str = "vera_mh") -> None:
    rng = np.random.default_rng(5)
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        talks = conversations.read(connection, conversations.ids(connection, study.id))
    rows = []
    for talk in talks:
        falls = talk.facts["provider_llm"] == "gpt4o"
        turns = len(talk.replies())
        curve = 0.5 + (FALL if falls else 0.0) * np.arange(turns) + rng.normal(0, 0.02, turns)
        local = rng.uniform(0.2, 0.6, turns) + (FALL if falls else 0.0) * np.arange(turns)
        if falls:
            local[FURTHEST - 1] = -0.1 - rng.uniform(0, 0.05)
        detail = {
            "curve": [None, *curve.tolist()[1:]],
            "local": [None, *local.tolist()[1:]],
            "plan_level": "study",
            "plan_version": 1,
        }
        for variant in ("actions/windowed", "actions/truncated")[: 1 if talk.key.startswith("0") else 2]:
            rows.append(
                MetricValue(
                    MetricSubject(conversation_id=talk.id),
                    "goal_alignment",
                    variant,
                    "1",
                    float(curve[-1]),
                    None,
                    inputs_hash("made", talk.key, variant),
                    detail,
                )
            )
    with store.writing("test", "score", study.id) as (connection, entry):
        keep(connection, entry, study.id, rows)
