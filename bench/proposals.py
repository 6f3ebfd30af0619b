"""Target plans proposed from the texts of 100 cases and 30 parts of a plan, with a tiny cross-encoder: from
the store and back into it, beside the same pairs through the encoder in batches.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from pathlib import Path

from bench import stores
from bench.scale import sized
from bench.table import Line, median, show
from data.record import studies
from data.store.store import Store
from runs.plan_proposals import propose_plans
from scoring.models import offline
from scoring.models.entailment import Entailer
from scoring.models.model_settings import EntailmentEntry
from scoring.models.pair_scorer import open_pair_scorer
from scoring.plan_components import Component, Components
from tests.models.tiny_cross_encoder import write_cross_encoder

CASES, PARTS, ROUNDS = sized((100, 30, 5), (3, 3, 1))
MAX_RATIO_TO_FLOOR = 1.2  # times the floor


def run() -> None:
    offline.prepare()
    import torch

    torch.set_num_threads(1)
    chance = random.Random(CASES)
    texts = [" ".join(chance.choice(stores.WORDS) for _ in range(60)) for _ in range(CASES)]
    parts = Components(
        key="bench",
        version="1",
        title="Parts",
        components=tuple(
            Component(
                id=f"part_{number}",
                sentence=f"Do part {number}.",
                hypotheses=(" ".join(chance.choice(stores.WORDS) for _ in range(8)),),
            )
            for number in range(PARTS)
        ),
    )
    ours, floor = [], []
    with tempfile.TemporaryDirectory(prefix="bench-proposals-") as name:
        folder = write_cross_encoder(Path(name) / "tiny")
        entry = EntailmentEntry(name="tiny", folder=str(folder))
        scorer, model = open_pair_scorer(entry), Entailer(entry)
        pairs = [(text, part.hypotheses[0]) for text in texts for part in parts.components]
        scorer.scores(pairs[:64])
        for number in range(ROUNDS):
            store = _store(Path(name) / f"{number}.sqlite", texts)
            with store.reading() as connection:
                study = studies.get_by_key(connection, stores.STUDY)
            began = time.process_time()
            propose_plans(store, study, "bench", parts, lambda _: model)
            ours.append(time.process_time() - began)
            store.close()
            began = time.process_time()
            scorer.scores(pairs)
            floor.append(time.process_time() - began)
    ratio = median(ours) / median(floor)
    show(
        f"proposals: {CASES} cases, {PARTS} parts of a plan, processor time, median of {ROUNDS}",
        [
            Line(
                "plans proposed and kept (floor: the same pairs through the encoder in batches)",
                f"{median(ours):.2f} s",
                f"{median(floor):.2f} s",
                ratio,
                f"{MAX_RATIO_TO_FLOOR}",
                ratio <= MAX_RATIO_TO_FLOOR,
            )
        ],
    )


def _store(path: Path, texts: list[str]) -> Store:
    source = path.with_suffix(".jsonl")
    messages = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello."}]
    source.write_text(
        "".join(
            json.dumps({"id": f"case-{number}", "messages": messages, "case_text": text}) + "\n"
            for number, text in enumerate(texts)
        ),
        encoding="utf-8",
    )
    return stores.make(path, source)
