"""Numbers of the sample studies that come with the program, so that nobody waits for a sentence model at the
first start.

One is taken only where it is what would be computed here: the hash of its inputs names the texts, the plan,
the lexicon, the version of the metric and the model, and the weights must be the ones that it was made with.
`python -m runs.ship_values` writes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from configs.files.plain_files import open_plain
from runs.sample_studies import ORDER, SAMPLES
from runs.scoring.metric_spec import MetricResult
from scoring.models.model_settings import ModelMissing, embedders

FILE = "metric_values.jsonl"


class ShippedValues:
    """By the hash of their inputs. `weights`: sha256 of the weights they were made with, in full."""

    def __init__(self, weights: str, results: dict[str, list[MetricResult]]) -> None:
        self._weights, self._results = weights, results
        self._usable: bool | None = None

    def of(self, inputs: str) -> list[MetricResult]:
        """Return the results for these inputs; [] if there are none, or another model would make them."""
        results = self._results.get(inputs, [])
        if results and self._usable is None:
            self._usable = self._weights == weights_in_use()
        return results if self._usable else []

    def __len__(self) -> int:
        return len(self._results)


NOTHING = ShippedValues("", {})


def weights_in_use() -> str:
    """Return the SHA-256 of the default sentence model's weights; "" if they are missing."""
    try:
        return embedders().entry().checked_path()[1]
    except ModelMissing:
        return ""


def shipped_values(study_key: str) -> ShippedValues:
    """Return the values shipped with a sample study; none for any other study."""
    return _read(SAMPLES / study_key / FILE) if study_key in ORDER else NOTHING


@lru_cache(maxsize=len(ORDER))
def _read(path: Path) -> ShippedValues:
    if not path.is_file():
        return NOTHING
    with open_plain(path) as stream:
        head, *lines = [json.loads(line) for line in stream]
    return ShippedValues(
        head["weights"],
        {line["inputs"]: [MetricResult(**result) for result in line["results"]] for line in lines},
    )


def lines_of(weights: str, values: Mapping[str, Sequence[MetricResult]]) -> list[str]:
    """Return the lines of a file of shipped values, each a JSON object with sorted keys.

    The first is {"weights": WEIGHTS}, then one per entry of `values` in the order of its hash: {"inputs":
    HASH, "results": [fields of each result]}.
    """
    rows: list[dict[str, Any]] = [
        {"weights": weights},
        *(
            {"inputs": inputs, "results": [asdict(result) for result in results]}
            for inputs, results in sorted(values.items())
        ),
    ]
    return [json.dumps(row, ensure_ascii=False, sort_keys=True) for row in rows]
