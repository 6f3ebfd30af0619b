"""The entailment adapter with a real, tiny cross-encoder that is made here: labels are read, never
assumed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from configs.files.yaml_files import ConfigFileError
from scoring.entailment import VERDICTS
from scoring.models.entailment import Entailer, configured_entailer, label_order
from scoring.models.model_settings import (
    EmbedderEntry,
    Entailment,
    EntailmentEntry,
    ModelMissing,
    entailment,
    settings_hash,
    weights_hash,
)
from tests.models.tiny_cross_encoder import UNUSUAL

pytestmark = pytest.mark.slow

PAIRS = [
    ("The client sleeps badly.", "The client is tired."),
    ("She has a plan.", "There is no plan."),
    ("", "x"),
    ("a " * 3000, "b " * 3000),
]
Make = Callable[..., Path]


@pytest.fixture
def make(tiny_entailer: Path, tmp_path: Path) -> Make:
    """A copy whose classifier prefers one position, and whose labels have these names."""

    def made(prefers: int | None = None, labels: list[str] | None = None) -> Path:
        from safetensors.torch import load_file, save_file

        folder = tmp_path / f"model-{prefers}-{'-'.join(labels or [])}"
        shutil.copytree(tiny_entailer, folder)
        if prefers is not None:
            weights = load_file(folder / "model.safetensors")
            weights["classifier.bias"].zero_()
            weights["classifier.bias"][prefers] = 50.0
            save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
        if labels is not None:
            config = json.loads((folder / "config.json").read_text())
            config["id2label"] = {str(number): name for number, name in enumerate(labels)}
            (folder / "config.json").write_text(json.dumps(config))
        return folder

    return made


def entailer(folder: Path, **more: str) -> Entailer:
    return Entailer(EntailmentEntry(name="tiny", folder=str(folder), **more))


@pytest.mark.parametrize("position", range(3))
def test_the_highest_score_names_the_verdict_by_the_models_own_order(make: Make, position: int) -> None:
    assert entailer(make(prefers=position)).verdicts(PAIRS) == [UNUSUAL[position].lower()] * len(PAIRS)


def test_the_same_weights_with_the_usual_order_say_something_else(make: Make) -> None:
    folder = make(prefers=0, labels=["contradiction", "entailment", "neutral"])
    assert entailer(folder).verdicts(PAIRS) == ["contradiction"] * len(PAIRS)


def test_the_verdicts_are_the_argmax_of_the_network_itself(tiny_entailer: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    network, tokenizer = (
        AutoModelForSequenceClassification.from_pretrained(tiny_entailer).eval(),
        AutoTokenizer.from_pretrained(tiny_entailer),
    )
    pairs = [
        (f"premise {number} about {word}", f"{word} and {number}")
        for number in range(8)
        for word in ("sleep", "fear", "work", "a plan")
    ]
    expected = []
    for premise, hypothesis in pairs:
        with torch.inference_mode():
            scores = network(**tokenizer(premise, hypothesis, return_tensors="pt", truncation=True)).logits
        expected.append(UNUSUAL[int(scores.argmax())].lower())
    assert entailer(tiny_entailer).verdicts(pairs) == expected


def test_the_label_names_the_model_and_its_weights(tiny_entailer: Path) -> None:
    found = entailer(tiny_entailer)
    assert found.sha256 == weights_hash(tiny_entailer)
    settings = settings_hash(tiny_entailer)[:8]
    assert found.label == f"tiny, weights {found.sha256[:12]}, 64 word pieces, settings {settings}"


def test_no_pairs_have_no_verdicts_and_half_a_surrogate_has_one(tiny_entailer: Path) -> None:
    found = entailer(tiny_entailer)
    assert found.verdicts([]) == []
    assert found.verdicts([("\ud800", "\udfff b")])[0] in VERDICTS


def test_a_text_of_ten_megabytes_has_the_verdict_of_its_beginning(tiny_entailer: Path) -> None:
    long = "the client sleeps " * 600_000
    assert entailer(tiny_entailer).verdicts([(long, "short")] * 40) == entailer(tiny_entailer).verdicts(
        [(long[:100_000], "short")] * 40
    )


@pytest.mark.parametrize(
    "labels",
    [
        ["LABEL_0", "LABEL_1", "LABEL_2"],
        ["entailment", "not_entailment"],
        ["entailment", "neutral", "neutral"],
        ["entailment", "neutral", "contradiction", "other"],
        ["score"],
    ],
)
def test_other_labels_are_refused_and_listed(labels: list[str]) -> None:
    with pytest.raises(
        ModelMissing,
        match=rf"has the labels {', '.join(labels)}; needed are entailment, neutral, contradiction",
    ):
        label_order(labels, "tiny")


def test_a_model_with_other_labels_is_refused_when_it_is_loaded(make: Make) -> None:
    with pytest.raises(ModelMissing, match="LABEL_0"):
        entailer(make(labels=["LABEL_0", "LABEL_1", "LABEL_2"]))


def test_weights_that_give_no_numbers_are_refused(make: Make) -> None:
    from safetensors.torch import load_file, save_file

    folder = make(prefers=0)
    weights = load_file(folder / "model.safetensors")
    weights["classifier.bias"][0] = float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelMissing, match="something else than a number for each label"):
        entailer(folder).verdicts(PAIRS)


def test_other_weights_than_the_configured_ones_are_refused(tiny_entailer: Path) -> None:
    with pytest.raises(
        ModelMissing, match=r"not the ones named in entailment\.yaml: expected sha256 000000000000"
    ):
        entailer(tiny_entailer, sha256="0" * 64)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        ModelMissing,
        match=r"There is no folder .*gone with the model tiny\. Correct it in entailment\.yaml",
    ):
        entailer(tmp_path / "gone")


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="There are no weights"):
        entailer(tmp_path)


def test_where_nothing_is_set_up_the_message_says_what_to_do(weights: Path) -> None:
    with pytest.raises(ModelMissing) as caught:
        configured_entailer()
    assert "second-reader models add" in str(caught.value)
    assert "models use --judge" in str(caught.value)
    assert "cross-encoder/nli-deberta-v3-base" in str(caught.value)


def test_a_folder_can_be_written_into_the_file(weights: Path) -> None:
    assert entailment() == Entailment(model=None)
    weights.mkdir()
    (weights / "entailment.yaml").write_text("model:\n  name: mine\n  folder: /srv/models/mine\n")
    assert entailment().entry() == EntailmentEntry(name="mine", folder="/srv/models/mine")


def test_a_model_and_a_judge_are_refused_together(weights: Path) -> None:
    weights.mkdir()
    (weights / "entailment.yaml").write_text("model: {name: mine, folder: /srv/mine}\njudge: local\n")
    with pytest.raises(ConfigFileError, match="name either a model or a judge"):
        entailment()


def test_each_kind_of_model_names_the_file_in_which_it_is_corrected() -> None:
    assert (EmbedderEntry.file, EntailmentEntry.file) == ("configs/embedders.yaml", "entailment.yaml")
