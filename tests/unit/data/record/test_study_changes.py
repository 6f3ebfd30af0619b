"""A study's title and its place in the archive: the last change counts, and each is one entry of the trail."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from data import schema
from data.access.permissions import NotPermitted, Person
from data.keeping.verify import verify
from data.record import studies, study_changes
from data.record.instrument_versions import list_versions
from data.store.errors import Refused
from services.study_changes import rename_study, set_archived
from tests.studies.small_study import Small

LEAD = Person(None, "Lea")


def entries(small: Small) -> int:
    with small.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(schema.trail)).scalar_one()


def test_a_study_has_its_last_title_everywhere_and_keeps_its_key(small: Small) -> None:
    before = entries(small)
    for title in ("  Sleep,\n first wave ", "Sleep, second wave", "Sleep, second wave"):
        rename_study(small.store, "Lea", LEAD, small.study, title)
    with small.store.reading() as connection:
        study = studies.get_by_key(connection, "small")
        assert study.title == "Sleep, second wave" and not study.archived
        assert studies.titles(connection) == [("small", "Sleep, second wave")]
        assert [version.studies for version in list_versions(connection, "small")] == [
            ("Sleep, second wave",)
        ]
        rows = connection.execute(select(schema.study_change.c.title)).scalars().all()
        assert rows == ["Sleep, first wave", "Sleep, second wave"]
        assert verify(connection).problems == []
        last = connection.execute(select(schema.trail).order_by(schema.trail.c.seq.desc())).first()
    assert last is not None and (last.actor, last.action) == ("Lea", "rename the study")
    assert entries(small) == before + 2


def test_an_archived_study_leaves_the_titles_and_comes_back(small: Small) -> None:
    before = entries(small)
    for archived in (True, True, False, True):
        set_archived(small.store, "Lea", LEAD, small.study, archived)
        with small.store.reading() as connection:
            assert study_changes.is_archived(connection, small.study.id) is archived
            assert studies.titles(connection) == ([] if archived else [("small", "Small study")])
            assert [study.archived for study in studies.listing(connection)] == [archived]
    assert entries(small) == before + 3


@pytest.mark.parametrize(("title", "reason"), [("  \n", "title_blank"), ("x" * 201, "text_too_long")])
def test_an_unusable_title_is_refused(small: Small, title: str, reason: str) -> None:
    before = entries(small)
    with pytest.raises(Refused) as refused:
        rename_study(small.store, "Lea", LEAD, small.study, title)
    assert refused.value.reason == reason and entries(small) == before


def test_only_the_lead_may(small: Small) -> None:
    before = entries(small)
    with small.store.reading() as connection:
        ann = Person(studies.rater(connection, small.raters[0]))
    with pytest.raises(NotPermitted):
        rename_study(small.store, "Ann", ann, small.study, "Mine")
    with pytest.raises(NotPermitted):
        set_archived(small.store, "Ann", ann, small.study, True)
    assert entries(small) == before
