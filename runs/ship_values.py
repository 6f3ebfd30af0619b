"""python -m runs.ship_values [STUDY ...]: compute the numbers of the sample studies that need the
sentence model, and write them beside the texts. It takes minutes, and is done when a text, a metric, the
lexicon or the model has changed: tests/unit/runs/scoring/test_shipped_values.py tells.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from configs.settings import Settings
from data.record import metrics, studies
from data.record.metrics import MetricValue
from data.store.store import Store
from runs.prepare import ACTOR, ready_store
from runs.sample_studies import ORDER, SAMPLES
from runs.scoring.metric_spec import ConversationMetric, MetricResult
from runs.scoring.registry import metric_specs
from runs.scoring.run import score_study
from runs.scoring.shipped_values import FILE, NOTHING, lines_of, weights_in_use


def main(keys: Sequence[str]) -> None:
    """Compute and write the shipped values of these sample studies, or of all."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'store.sqlite'}"
        store = ready_store(Settings.read({"SECOND_READER_DATABASE_URL": url}))
        for key in keys or ORDER:
            print(f"{key}: {ship(store, key, SAMPLES / key / FILE)} conversations")
        store.close()


def ship(store: Store, key: str, path: Path) -> int:
    """Write what the model gives of one sample study; returns of how many conversations."""
    score_study(store, key, ACTOR, shipped=NOTHING)
    with store.reading() as connection:
        present = metrics.present(connection, studies.get_by_key(connection, key).id)
    results = model_results(present)
    if results:
        path.write_text("\n".join(lines_of(weights_in_use(), results)) + "\n", encoding="utf-8")
    return len(results)


def model_results(present: Sequence[MetricValue]) -> dict[str, list[MetricResult]]:
    """Return hash of inputs -> the results of metrics that need the sentence model."""
    names = {spec.name for spec in metric_specs(ConversationMetric) if "embedder" in spec.needs}
    inputs = {value.inputs for value in present if value.metric in names and value.subject.conversation_id}
    results: dict[str, list[MetricResult]] = {}
    for value in present:
        if value.inputs in inputs:
            results.setdefault(value.inputs, []).append(
                MetricResult(
                    value.value,
                    value.undefined,
                    value.variant,
                    dict(value.detail),
                    value.metric,
                    value.version,
                )
            )
    return results


if __name__ == "__main__":
    main(sys.argv[1:])
