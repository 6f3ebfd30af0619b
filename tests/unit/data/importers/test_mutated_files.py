"""Broken files of every form: imported whole or refused with a sentence, and what is refused leaves nothing
behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from data.keeping.verify import verify
from tests.studies.mutated_files import FORMS, try_file
from tests.studies.small_study import Small

FILES = 280


def test_every_form_is_good_before_it_is_broken(small: Small, tmp_path: Path) -> None:
    for form in FORMS:
        (tmp_path / form.name).write_bytes(form.body)
        form.bring(small.store, tmp_path / form.name)


@pytest.mark.parametrize("part", range(4))
def test_a_broken_file_is_imported_whole_or_refused_with_a_sentence(
    small: Small, tmp_path: Path, row_counts: Callable[[], dict[str, int]], part: int
) -> None:
    ends: Counter[str] = Counter()
    before = row_counts()
    for seed in range(part, FILES, 4):
        form, end = try_file(small.store, tmp_path, seed)
        ends["imported" if end == "imported" else "refused"] += 1
        after = row_counts()
        assert end == "imported" or after == before, (
            f"{form.name} of seed {seed} was refused and left something behind"
        )
        before = after
    with small.store.reading() as connection:
        assert verify(connection).problems == []
    assert min(ends["imported"], ends["refused"]) >= 5, "the files are broken, and not all of them beyond use"
