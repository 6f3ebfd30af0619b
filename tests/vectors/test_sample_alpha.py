"""Krippendorff's alpha of the six clinicians of VERA-MH, from their labels as they are imported and kept, and
what one of them conceals.
"""

from __future__ import annotations

import numpy as np
import pytest
from krippendorff import alpha as by_library

from data.labels import agreement_labels
from data.record import studies
from data.store.store import Store
from scoring.agreement.coefficients.gwet import gwet
from scoring.agreement.coefficients.krippendorff import coincidences, krippendorff
from scoring.agreement.coefficients.multirater_percent import AGREEING
from scoring.agreement.coefficients.spread import by_unit
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import jackknife
from scoring.agreement.labels.labels import Labels
from scoring.agreement.labels.rarity import too_few
from tests.unit.scoring.agreement.by_hand import on_fishers_scale

LABELS = ("harm", "suboptimal", "best", "not_relevant")  # with "Not Relevant" as one of them
ALPHAS = {
    "detects_potential_risk": 0.554,
    "confirms_risk": 0.726,
    "guides_to_human_care": 0.625,
    "supportive_conversation": 0.453,
    "follows_ai_boundaries": 0.740,
}


@pytest.fixture
def labels(sample_store: Store) -> dict[str, Labels]:
    """By dimension; the conversation is the unit, and the part."""
    with sample_store.reading() as connection:
        study = studies.find(connection, "vera_mh")
        assert study is not None
        human_labels = agreement_labels.human_labels(connection, study.id, "blind")
    label_data = {}
    for dimension in ALPHAS:
        rows = np.array(
            [
                (label.unit_id, label.who, label.unit_id, LABELS.index(str(label.label)))
                for label in human_labels
                if label.criterion == dimension
            ]
        )
        label_data[dimension] = Labels(LABELS, *rows.T)
    return label_data


def alpha(labels: Labels) -> Estimate:
    return jackknife(
        krippendorff("nominal", tuple(labels.scale)),
        labels.units.by_part(coincidences(labels.units)),
        len(labels),
    )


def percent(labels: Labels) -> Estimate:
    return jackknife(
        AGREEING, labels.units.by_part(by_unit(labels.units)), len(labels), units=labels.units.shared
    )


def ac1(labels: Labels) -> Estimate:
    return jackknife(
        gwet("none", tuple(labels.scale)), labels.units.by_part(by_unit(labels.units)), len(labels)
    )


def rounded(found: Estimate) -> tuple[float, float, float]:
    assert found.value is not None and found.low is not None and found.high is not None
    return round(found.value, 3), round(found.low, 3), round(found.high, 3)


def test_the_alphas_of_the_five_dimensions(labels: dict[str, Labels]) -> None:
    assert {dimension: rounded(alpha(one))[0] for dimension, one in labels.items()} == ALPHAS
    for one in labels.values():
        assert (len(one), alpha(one).conversations, set(one.units.counts.sum(axis=1))) == (270, 90, {3})


def applying(one: Labels) -> Labels:
    """The labels of those who say that the dimension applies."""
    keep = one.code < LABELS.index("not_relevant")
    return Labels(LABELS[:3], one.unit[keep], one.rater[keep], one.part[keep], one.code[keep])


def whether(one: Labels) -> Labels:
    """Whether the dimension applies."""
    return Labels(
        ("applies", "does not"),
        one.unit,
        one.rater,
        one.part,
        (one.code == LABELS.index("not_relevant")).astype(np.int64),
    )


def test_the_paradox_of_supportive_conversation(labels: dict[str, Labels]) -> None:
    """Two clinicians give the same label in 84 of 100 cases, as often as in any dimension but one, and alpha
    is the lowest of all.

    226 of the 270 labels are "Suboptimal", so two people give the same label without looking. AC1 takes that
    for agreement (.83), alpha for habit (.45). Neither is wrong, neither may stand alone, and even both do
    not say what there is to say; taken apart, they do. What a reader must be told:
    1. Whether the dimension applies, clinicians agree on well (alpha .66). That is all of the .45.
    2. Where they say that it applies, 226 of 237 labels are "Suboptimal"; 11 are not, and not one of these 11
    was given by two people to the
       same conversation. So 90 of 100 pairs agree, and that clinicians can tell good from middling support,
       or middling from harmful, is not shown at all (alpha -.04): not because they contradict each other, but
       because there was next to nothing to tell apart.
    3. So neither has an interval there: how far they may be off cannot be told from conversations that are
    all alike.
    """
    supportive = labels["supportive_conversation"]
    assert np.bincount(supportive.code).tolist() == [2, 226, 9, 33]
    assert rounded(percent(supportive)) == (0.844, 0.753, 0.912)
    assert rounded(ac1(supportive)) == (0.828, 0.736, 0.890)
    assert rounded(alpha(supportive)) == (0.453, 0.232, 0.629)
    shared = int(
        (3 - supportive.units.counts[:, 1] > 1).sum()
    )  # two of three gave another label than "Suboptimal"
    for estimate in (ac1(supportive), alpha(supportive)):
        assert estimate.value is not None and estimate.error is not None
        assert (estimate.low, estimate.high) == pytest.approx(
            on_fishers_scale(estimate.value, estimate.error, shared - 1)
        )
    more = [
        dimension
        for dimension, dimension_labels in labels.items()
        if rounded(percent(dimension_labels)) > rounded(percent(supportive))
    ]
    assert (more, min(ALPHAS, key=ALPHAS.__getitem__)) == (
        ["detects_potential_risk"],
        "supportive_conversation",
    )

    assert rounded(alpha(whether(supportive))) == (0.656, 0.416, 0.811)
    verdict = applying(supportive)
    assert len(verdict) == 237
    given = verdict.units.counts
    assert given[:, LABELS.index("harm")].max() == given[:, LABELS.index("best")].max() == 1
    assert rounded(percent(verdict)) == (0.905, 0.816, 0.960)
    for estimate, value in ((ac1(verdict), 0.901), (alpha(verdict), -0.038)):
        assert (round(estimate.value or 0.0, 3), estimate.low, estimate.no_interval) == (
            value,
            None,
            too_few(0),
        )


def test_where_labels_are_spread_the_two_tell_the_same(labels: dict[str, Labels]) -> None:
    """The comparison: as many pairs agree in "confirms risk", whose labels are in use, and there alpha and
    AC1 are near each other.
    """
    confirms = labels["confirms_risk"]
    assert np.bincount(confirms.code).tolist() == [145, 60, 32, 33]
    assert (rounded(percent(confirms))[0], rounded(ac1(confirms))[0], rounded(alpha(confirms))[0]) == (
        0.826,
        0.779,
        0.726,
    )
    assert rounded(alpha(applying(confirms)))[0] == 0.787


def test_alpha_is_that_of_the_library(labels: dict[str, Labels]) -> None:
    for one in labels.values():
        assert alpha(one).value == pytest.approx(
            by_library(value_counts=one.units.counts, level_of_measurement="nominal"), abs=1e-12
        )
