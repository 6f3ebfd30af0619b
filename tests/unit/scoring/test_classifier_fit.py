"""Thresholds of a local classifier on truth that is known: perfect, random, inverted, constant."""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.classifier_fit import (
    ClassifierThresholds,
    CriterionCuts,
    best_cuts,
    fit_criterion,
    read_thresholds,
)

LABELS = ("0", "1", "2")


def loss(cuts: tuple[float, ...], scores: list[float], levels: list[int]) -> int:
    return sum(
        abs(sum(score >= cut for cut in cuts) - level) for score, level in zip(scores, levels, strict=True)
    )


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2)), min_size=1, max_size=9), st.integers(2, 3))
def test_no_other_cuts_lose_less(answers: list[tuple[int, int]], count: int) -> None:
    scores, levels = [score / 2 for score, _ in answers], [min(level, count - 1) for _, level in answers]
    cuts = best_cuts(np.array(scores), np.array(levels), count)
    different = sorted(set(scores))
    candidates = [-np.inf, *((low + high) / 2 for low, high in pairwise(different)), np.inf]
    least = min(loss(other, scores, levels) for other in combinations_with_replacement(candidates, count - 1))
    assert loss(cuts, scores, levels) == least
    assert list(cuts) == sorted(cuts)


def test_scores_that_tell_the_level_are_cut_between_the_levels() -> None:
    levels = [0, 1, 2] * 10
    scores = [level + 0.3 * (number % 3) / 3 for number, level in enumerate(levels)]
    cuts = fit_criterion(scores, levels, LABELS).cuts
    assert cuts is not None and cuts.right == cuts.learned == 30
    assert [cuts.label(score) for score in (-5.0, 0.1, 1.1, 2.5, 99.0)] == ["0", "0", "1", "2", "2"]


def fitted_shares(relation: str, labels: int, studies: int = 200) -> float:
    """In which share of studies a judge is made of scores whose relation to the labels is planted."""
    chance = np.random.default_rng(20261123)
    fitted = 0
    for _ in range(studies):
        levels = chance.choice(3, size=labels, p=[0.5, 0.3, 0.2])
        noise = chance.normal(size=labels)
        scores = {"random": noise, "inverted": -levels + 0.2 * noise, "related": levels + 0.5 * noise}[
            relation
        ]
        fit = fit_criterion(scores.tolist(), levels.tolist(), LABELS)
        assert (fit.cuts is None) != (fit.reason is None)
        fitted += fit.cuts is not None
    return fitted / studies


@pytest.mark.parametrize("labels", [20, 60, 200])
@pytest.mark.parametrize("relation", ["random", "inverted"])
def test_scores_that_tell_nothing_make_no_judge(relation: str, labels: int) -> None:
    assert fitted_shares(relation, labels) <= 0.03


def test_scores_that_tell_something_make_one() -> None:
    assert fitted_shares("related", 60) >= 0.8


def test_labels_of_one_conversation_are_left_out_together() -> None:
    """Each conversation has its own score and label, ten times: that tells nothing of the next one."""
    chance = np.random.default_rng(3)
    fitted = 0
    for _ in range(60):
        levels, scores = chance.integers(0, 2, 12).repeat(10), chance.normal(size=12).repeat(10)
        parts = np.arange(12).repeat(10)
        fitted += fit_criterion(scores.tolist(), levels.tolist(), LABELS[:2], parts.tolist()).cuts is not None
    assert fitted <= 4


def test_one_label_too_few_labels_and_constant_scores_are_said() -> None:
    assert fit_criterion([1.0] * 12, [2] * 12, LABELS).reason == (
        "all 12 settled labels that it could learn from are 2"
    )
    assert fit_criterion([0.1, 0.9], [0, 1], LABELS).reason == (
        "only 2 settled labels to learn from; at least 10 are needed"
    )
    assert fit_criterion([0.5] * 12, [0, 1] * 6, LABELS).reason == (
        "on labels that it had not seen, its scores are not shown to tell more than always saying 0"
    )
    with pytest.raises(BadInput):
        fit_criterion([0.5] * 12, [0], LABELS)


def thresholds(**changed: object) -> ClassifierThresholds:
    cuts = CriterionCuts(labels=LABELS, cuts=(0.25, float("inf")), learned=12, right=9, commonest=6)
    values = {
        "study": "demo",
        "instrument": "x 1",
        "model": "tiny",
        "criteria": {"CQ1": cuts},
        "not_fitted": {"CQ2": "too few"},
        "learned_from": ("c1", "c3"),
    }
    return ClassifierThresholds.model_validate({**values, **changed})


def test_a_file_is_read_as_it_was_written_and_its_name_tells_its_content(tmp_path: Path) -> None:
    path = tmp_path / thresholds().file_name
    path.write_text(thresholds().body(), encoding="utf-8")
    assert read_thresholds(path) == thresholds()
    assert thresholds(model="other").file_name != thresholds().file_name


@pytest.mark.parametrize("body", ["", "{", "[]", '{"study": "x"}'])
def test_a_file_that_is_none_is_refused(body: str, tmp_path: Path) -> None:
    path = tmp_path / "thresholds-x.json"
    path.write_text(body, encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be read"):
        read_thresholds(path)
    with pytest.raises(BadInput, match="cannot be read"):
        read_thresholds(tmp_path / "gone.json")


def test_a_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / thresholds().file_name
    path.write_text(thresholds(learned_from=("c1",)).body(), encoding="utf-8")
    with pytest.raises(BadInput, match="was changed after it was written"):
        read_thresholds(path)


def test_what_is_right_is_counted_on_labels_that_the_cuts_had_not_seen() -> None:
    chance = np.random.default_rng(11)
    fewer = 0
    for _ in range(10):
        levels = chance.integers(0, 3, 60)
        scores = levels + 0.4 * chance.normal(size=60)
        cuts = fit_criterion(scores.tolist(), levels.tolist(), LABELS).cuts
        assert cuts is not None
        seen = sum(
            LABELS.index(cuts.label(score)) == level for score, level in zip(scores, levels, strict=True)
        )
        assert cuts.right <= seen + 2
        fewer += cuts.right < seen
    assert fewer >= 5
