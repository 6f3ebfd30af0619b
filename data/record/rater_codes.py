"""What raters are called in results: a code each, such as Rater K7, the same on every page and in every file.
A code reveals neither who the rater is nor when they joined. It is not secret, though: this program can
compute it from the rater's number in the store. Colleagues in a settlement stand under letters
(data/settling/anonymous_labels.py).
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from sqlalchemy import Connection

from data.record import studies
from data.record.rater_identities import rater_identities
from data.record.studies import Study, name_key

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
CODE = re.compile(rf"Rater ([{LETTERS}][0-9]{{1,9}})")


def read_rater_codes(connection: Connection, study: Study) -> dict[int, str]:
    """Return rater -> code of everybody in the study, in the order of the codes.

    A confirmed imported rater has the person's code.
    """
    raters = studies.raters(connection, study.id)
    imported = {rater.id for rater in raters if rater.kind == "imported"}
    codes = assign_codes(study, {rater.id: rater.name for rater in raters}, imported)
    persons = rater_identities(connection, study.id)
    return dict(
        sorted(
            ((rater, codes[persons.get(rater, rater)]) for rater in codes),
            key=lambda rater_and_code: rater_and_code[1],
        )
    )


def assign_codes(
    study: Study, names: Mapping[int, str], imported: Collection[int] = frozenset()
) -> dict[int, str]:
    """Return rater -> code ("Rater ..."), in the order of the codes.

    A code stays when raters are added. It is never one that reads like somebody's own name.

    Args:
        study: whose codes.
        names: rater -> name.
        imported: raters from a file; one whose name there is a code of another store keeps it.
    """
    own_names = Counter(
        "".join(filter(str.isalnum, name_key(name))).removeprefix("rater") for name in names.values()
    )
    raters: dict[str, int] = {}
    for rater in sorted(names):
        free = (
            code
            for code in _codes(f"{study.key}:{study.id}:{rater}")
            if code not in raters and name_key(code) not in own_names
        )
        raters[next(free)] = rater
    codes = {rater: f"Rater {code}" for code, rater in raters.items()}
    for rater in imported:
        brought = CODE.fullmatch(names[rater])
        if brought and own_names[name_key(brought.group(1))] == 1:
            codes[rater] = names[rater]
    return dict(sorted(codes.items(), key=lambda rater_and_code: rater_and_code[1]))


def _codes(seed: str) -> Iterator[str]:
    """Letter and number, such as K7, one after the other as a hash has them; with longer numbers where many
    are taken.
    """
    for attempt in itertools.count():
        digest = hashlib.sha256(f"{seed}:{attempt}".encode()).digest()
        numbers = 8 * 10 ** (attempt // 8)
        # Without letters and numbers that are taken for each other: I and 1, O and 0.
        yield f"{LETTERS[digest[0] % len(LETTERS)]}{2 + int.from_bytes(digest[1:8]) % numbers}"
