"""Two judges against reference labels, on the sample study with three of each."""

from __future__ import annotations

from data.labels import agreement_material
from data.record import judgements, studies
from data.store.store import Store
from scoring.agreement.judges.reference import reference_labels
from scoring.agreement.judges.two_judges import against_reference


def test_counts_are_those_of_going_through_the_labels_one_by_one(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "lend_an_ear")
        assert study is not None
        first, second = (
            agreement_material.read(connection, study, judge.id)
            for judge in judgements.judges(connection, study.id)[:2]
        )
    cells = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for number in range(len(first.questions)):
        first_labels, other = (
            dict(zip(m.judge_labels(number).unit.tolist(), m.judge_labels(number).code.tolist(), strict=True))
            for m in (first, second)
        )
        people: dict[int, list[int]] = {}
        labels = first.human_labels(number)
        for unit, code in zip(labels.unit.tolist(), labels.code.tolist(), strict=True):
            people.setdefault(unit, []).append(code)
        unanimous = {
            unit: codes[0] for unit, codes in people.items() if len(codes) > 1 and len(set(codes)) == 1
        }
        assert (
            dict(
                zip(
                    reference_labels(first, number).unit.tolist(),
                    reference_labels(first, number).code.tolist(),
                    strict=True,
                )
            )
            == unanimous
        )
        for unit, code in unanimous.items():
            cells[first_labels[unit] == code, other[unit] == code] += 1
    counts = against_reference(first, second)
    assert (counts.both, counts.first_only, counts.second_only, counts.neither) == tuple(
        cells.values()
    ) and sum(cells.values()) > 50
    assert counts.p is not None and 0 < counts.p <= 1


def test_one_judge_beside_itself_is_never_ahead(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "lend_an_ear")
        assert study is not None
        same = agreement_material.read(connection, study, judgements.judges(connection, study.id)[0].id)
    found = against_reference(same, same)
    assert (found.first_only, found.second_only, found.p) == (0, 0, None)
