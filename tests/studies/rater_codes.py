"""What raters are called in results, for tests that look for it."""

from __future__ import annotations

import re

from data.record import studies
from data.record.rater_codes import read_rater_codes
from data.store.store import Store

CODE = re.compile(r"Rater [A-Z][0-9]+")  # in results
LETTER = re.compile(r"Rater [A-Z]+\b")  # in a settlement


def codes_of(store: Store, key: str) -> dict[str, str]:
    """Rater's name -> code, in the order of the codes, of the study with this key."""
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        names = {rater.id: rater.name for rater in studies.raters(connection, study.id)}
        return {names[rater]: code for rater, code in read_rater_codes(connection, study).items()}
