"""BERTScore of the replies of an experiment, by the real library with the packaged model."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from configs.settings import ROOT
from scoring.bad_input import BadInput
from scoring.models.model_settings import BertScoreEntry, ModelMissing, bertscore, weights_hash
from scoring.models.response_similarity import (
    TWO_REPLIES_NEEDED,
    BertScore,
    configured_bertscore,
    response_similarity,
)

REPLIES = [
    "Let us build a wall around the house, so that the wolf cannot get in.",
    "Picture a strong wall that keeps the wolf outside!",
    "What did the wolf mean to you?",
    "I hear that you are frightened.",
]
INVISIBLE = "\u200b\u200d"
FIXED = [0.699797, 0.655119, 0.676721]  # of the first two


def by_hand(replies: list[str], layer: int) -> list[tuple[float, float, float]]:
    """Precision, recall and F1 of each pair from the layer's vectors: for each piece its nearest in the other
    reply, markers left out.
    """
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = bertscore().model.path()
    network, tokenizer = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    vectors = []
    for reply in replies:
        with torch.inference_mode():
            states = (
                network(**tokenizer(reply, return_tensors="pt"), output_hidden_states=True)
                .hidden_states[layer][0]
                .numpy()
            )
        vectors.append(states / np.linalg.norm(states, axis=1, keepdims=True))
    layer_vectors = []
    for reference, candidate in combinations(vectors, 2):
        cosines = candidate @ reference.T
        precision, recall = cosines.max(axis=1)[1:-1].mean(), cosines.max(axis=0)[1:-1].mean()
        layer_vectors.append(
            (float(precision), float(recall), float(2 * precision * recall / (precision + recall)))
        )
    return layer_vectors


def test_the_values_are_the_means_over_all_pairs_of_the_values_computed_by_hand() -> None:
    found = response_similarity(REPLIES)
    expected = np.mean(by_hand(REPLIES, 5), axis=0)
    assert [found.precision.value, found.recall.value, found.f1.value] == pytest.approx(
        expected.tolist(), abs=2e-5
    )
    assert (found.f1.n, found.blank, found.cut) == (4, 0, 0)


def test_the_values_of_a_fixed_pair_stay() -> None:
    found = response_similarity(REPLIES[:2])
    assert [found.precision.value, found.recall.value, found.f1.value] == pytest.approx(FIXED, abs=2e-5)


def test_of_a_pair_the_earlier_reply_is_the_reference() -> None:
    one, other = response_similarity(REPLIES[:2]), response_similarity(REPLIES[1::-1])
    assert (one.precision.value, one.recall.value) == pytest.approx(
        (other.recall.value, other.precision.value), abs=1e-5
    )
    assert one.f1.value == pytest.approx(other.f1.value, abs=1e-5)


def test_like_replies_are_1_and_others_lie_below() -> None:
    assert response_similarity([REPLIES[0]] * 3).f1.value == pytest.approx(1.0, abs=1e-5)
    assert response_similarity(REPLIES).f1.value < 0.99  # type: ignore[operator]


def test_the_order_of_the_replies_does_not_move_f1() -> None:
    assert response_similarity(REPLIES).f1.value == pytest.approx(
        response_similarity(REPLIES[::-1]).f1.value, abs=1e-5
    )


def test_blank_replies_are_left_out_and_counted() -> None:
    found = response_similarity([REPLIES[0], "", None, " \n", INVISIBLE, REPLIES[1]])
    assert (found.blank, found.f1.n) == (4, 2)
    assert found.f1.value == pytest.approx(FIXED[2], abs=2e-5)


@pytest.mark.parametrize("replies", [[], ["one"], ["one", " "], [None, INVISIBLE, "one"]])
def test_fewer_than_two_replies_are_none_with_a_reason_beside_the_published_1(
    replies: list[str | None],
) -> None:
    found = response_similarity(replies)
    assert [estimate.value for estimate in (found.precision, found.recall, found.f1)] == [None] * 3
    assert found.f1.undefined == TWO_REPLIES_NEEDED
    assert found.reference == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def test_a_reply_longer_than_the_model_reads_is_counted_and_compared_by_its_beginning() -> None:
    start = "word " * 510
    found = response_similarity([start + "something else entirely", REPLIES[0]])
    assert found.cut == 1
    assert found.f1.value == pytest.approx(response_similarity([start, REPLIES[0]]).f1.value, abs=1e-6)


def test_ten_megabytes_and_half_a_surrogate_are_compared() -> None:
    found = response_similarity(["a wall " * 1_500_000, "\ud800 wall"])
    assert found.f1.value is not None


def test_the_label_says_model_layer_weights_and_that_the_published_values_are_others() -> None:
    label = configured_bertscore().label
    assert label.startswith(
        f"all-MiniLM-L6-v2, layer 5, weights {weights_hash(bertscore().model.path())[:12]}, 512 word pieces"
    )
    assert "not comparable with the published values" in label
    assert label in response_similarity(REPLIES).f1.method


@pytest.mark.parametrize(
    ("replies", "name"),
    [
        ("a text", "responses"),
        (None, "responses"),
        ([1], r"responses\[0\]"),
        (["a", float("nan")], r"responses\[1\]"),
        (["a"] * 1001, "responses"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_by_name(replies: Any, name: str) -> None:
    with pytest.raises(BadInput, match=f"^{name}: expected"):
        response_similarity(replies)


def packaged(**changes: Any) -> BertScoreEntry:
    return BertScoreEntry.model_validate({**bertscore().model.model_dump(), **changes})


def test_another_layer_gives_other_values_and_another_label() -> None:
    found = response_similarity(REPLIES[:2], BertScore(packaged(num_layers=2)))
    assert "layer 2" in found.model
    assert found.f1.value == pytest.approx(by_hand(REPLIES[:2], 2)[0][2], abs=2e-5)


def test_a_layer_that_the_model_does_not_have_is_refused() -> None:
    with pytest.raises(
        ModelMissing, match=r"has 6 layers, and num_layers is 7\. Correct it in configs/bertscore\.yaml"
    ):
        BertScore(packaged(num_layers=7))


def test_other_weights_are_refused() -> None:
    with pytest.raises(ModelMissing, match=r"not the ones named in configs/bertscore\.yaml"):
        BertScore(packaged(sha256="0" * 64))


def test_a_folder_without_a_configuration_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(ModelMissing, match=r"no config\.json that can be read"):
        BertScore(packaged(package=None, inside="", folder=str(tmp_path), sha256=None))


def test_a_path_that_the_library_would_take_for_a_t5_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "set5"
    folder.mkdir()
    shutil.copy(bertscore().model.path() / "config.json", folder)
    (folder / "model.safetensors").write_bytes(b"")
    with pytest.raises(ModelMissing, match="takes every model for a T5 whose path has t5 in it"):
        BertScore(packaged(package=None, inside="", folder=str(folder), sha256=None))


@pytest.mark.parametrize("absent", ["bert_score", "matplotlib"])
def test_without_the_library_there_is_a_sentence_and_no_crash(absent: str) -> None:
    program = (
        f"import sys, json\nsys.modules[{absent!r}] = None\n"
        "from scoring.models.model_settings import ModelMissing\nfrom scoring.models.response_similarity import "
        "response_similarity\n"
        "try:\n    response_similarity(['a', 'b'])\nexcept ModelMissing as missing:\n    "
        "print(json.dumps(str(missing)))"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT.parent, capture_output=True, text=True, check=True
    )
    assert json.loads(process.stdout).startswith(
        "The library bert-score is not installed, so the replies of an experiment cannot be compared"
    )
    assert "pip install bert-score==0.3.13" in process.stdout


def test_the_optional_extra_and_the_tests_pin_the_same_version() -> None:
    pinned = "bert-score==0.3.13"
    assert f'bertscore = ["{pinned}"]' in (ROOT.parent / "pyproject.toml").read_text()
    assert pinned in (ROOT.parent / "requirements-test.txt").read_text().splitlines()
    assert "bert-score" not in (ROOT.parent / "requirements.txt").read_text()
