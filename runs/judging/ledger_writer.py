"""Writing the tries and labels of a judge run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from data.record import ledger, units
from data.record.ledger import Attempt, LedgerLabel
from data.store.store import Store
from runs.asking.shared_commits import SharedCommits
from runs.judging.calls import Call

TryWithLabels = tuple[Attempt | None, Sequence[LedgerLabel]]


class LedgerWriter:
    """One for a run."""

    def __init__(self, store: Store, study_id: int, actor: str, run_id: int) -> None:
        self._store, self._study_id, self._actor, self._run_id = store, study_id, actor, run_id
        self._commits = SharedCommits(self._commit)

    def commit_after(self, enough: Callable[[], int]) -> None:
        self._commits.enough = enough

    async def keep(self, attempt: Attempt | None, labels: Sequence[LedgerLabel]) -> None:
        """Returns when both are on disk. Raises what the store raises."""
        await self._commits.write((attempt, labels))

    def has_words(self, call: Call) -> bool:
        """Whether the words of the unit are there and were not erased meanwhile."""
        with self._store.reading() as connection:
            return units.erased(connection, [call.unit_id]) == set()

    def _commit(self, results: Sequence[TryWithLabels]) -> None:
        with self._store.writing(self._actor, "judge", self._study_id, run=self._run_id) as (
            connection,
            entry,
        ):
            ledger.write(
                connection,
                entry,
                self._study_id,
                self._run_id,
                [attempt for attempt, _ in results if attempt],
                [label for _, labels in results for label in labels],
            )
