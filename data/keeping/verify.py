"""Check the store: the trail against itself, its rows and exported head hashes; the database against a new
store; the texts and projections against the record. One question per file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sqlalchemy import Connection

from data.keeping import form
from data.keeping.assignments import assignment_problems
from data.keeping.chain import read_chain
from data.keeping.lineages import lineage_problems
from data.keeping.progress import progress_problems
from data.keeping.quotation_counts import quotation_count_problems
from data.keeping.rater_progress import rater_progress_problems
from data.keeping.store_check import StoreCheck
from data.keeping.texts import erased_count, text_problems
from data.store.driver import any_text

__all__ = ["StoreCheck", "verify"]

_QUESTIONS: tuple[Callable[[Connection], Iterator[str]], ...] = (
    text_problems,
    rater_progress_problems,
    progress_problems,
    assignment_problems,
    lineage_problems,
    quotation_count_problems,
)


def verify(connection: Connection, heads: Mapping[int, str] | None = None) -> StoreCheck:
    """Read everything and compare. `heads`: entry number -> exported hash.

    Memory doesn't grow with the store. If a table or column is missing, only that is reported, because the
    rest can't be read.
    """
    with any_text(connection):
        wrong_form = list(form.differences(connection))
        if not form.readable(connection):
            return StoreCheck(
                problems=[
                    *wrong_form,
                    "nothing else could be checked while parts of the database are missing",
                ]
            )
    check = read_chain(connection, heads or {})
    check.problems[:0] = wrong_form
    with any_text(connection):
        for problems in _QUESTIONS:
            check.add_problems(problems(connection))
        check.erased = erased_count(connection)
    return check
