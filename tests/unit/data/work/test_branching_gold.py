"""Gold labels of a form in which the next question depends on the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.store.errors import Refused
from data.store.store import Store
from data.work import certification
from tests.studies.branching import BRANCHING
from tests.studies.planned import plan_for
from tests.studies.small_study import make


def test_gold_labels_stand_on_one_path(store: Store, tmp_path: Path) -> None:
    small = make(store, tmp_path, instrument=BRANCHING, with_judges=False)
    plan_for(small)
    unit = small.desk().unit(1)

    def gold(labels: dict[str, str]) -> None:
        with store.writing("tests", "gold", small.study.id) as (connection, entry):
            certification.put_gold(connection, entry, small.study, unit, labels, "Expert", "why")

    with pytest.raises(Refused, match="gold_question_not_asked"):
        gold({"risk": "NO", "missed": "YES"})
    gold({"risk": "NO", "false_alarm": "NO"})


def test_an_earlier_gold_label_off_the_later_path_holds_no_more(store: Store, tmp_path: Path) -> None:
    """Else nobody could be certified: the question is not asked of who answers as the expert does."""
    small = make(store, tmp_path, instrument=BRANCHING, with_judges=False)
    plan_for(small)
    unit = small.desk().unit(1)
    for labels in ({"risk": "YES", "missed": "NO"}, {"risk": "NO", "false_alarm": "NO"}):
        with store.writing("tests", "gold", small.study.id) as (connection, entry):
            certification.put_gold(connection, entry, small.study, unit, labels, "Expert", "why")
    with store.reading() as connection:
        gold = certification.gold_labels(connection, small.study)[unit.id]
    assert {name: label.label for name, label in gold.items()} == {"risk": "NO", "false_alarm": "NO"}
