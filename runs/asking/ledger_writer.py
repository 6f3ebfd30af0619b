"""Write the tries of a run and their labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from data.record import conversations, ledger
from data.record.ledger import Asked, Attempt, LedgerLabel
from data.store.store import Store
from runs.asking.engine_parts import CallOutcome, EngineCall
from runs.asking.shared_commits import SharedCommits

TryWithLabels = tuple[Attempt | None, Sequence[LedgerLabel]]


class LedgerWriter:
    """The writer of one run. `action`: as in the trail. `run_id`: of a judge run; None for requests."""

    def __init__(
        self, store: Store, study_id: int, actor: str, action: str, run_id: int | None = None
    ) -> None:
        self._store, self._study_id, self._actor = store, study_id, actor
        self._action, self._run_id = action, run_id
        self._commits = SharedCommits(self._commit)

    def commit_after(self, enough: Callable[[], int]) -> None:
        """Set `enough`, which returns how many results are worth a commit at once."""
        self._commits.enough = enough

    async def keep(self, attempt: Attempt | None, outcomes: Sequence[CallOutcome]) -> None:
        """Write a try and its labels; return when they are on disk. Raises what the store raises."""
        labels = [outcome for outcome in outcomes if isinstance(outcome, LedgerLabel)]
        if attempt is not None or labels:
            await self._commits.write((attempt, labels))

    def has_words(self, call: EngineCall) -> bool:
        """Tell whether the words of the call still exist and were not erased meanwhile."""
        with self._store.reading() as connection:
            return not conversations.find_without_words(connection, [call.conversation_id])

    def find_asked_once(self, asked: Asked, calls: Sequence[EngineCall]) -> set[str]:
        """Return the keys of calls that may be asked only once more, because their first reply was
        unreadable.
        """
        with self._store.reading() as connection:
            return ledger.find_asked_once(connection, asked, [call.request.key for call in calls])

    def _commit(self, results: Sequence[TryWithLabels]) -> None:
        run = {} if self._run_id is None else {"run": self._run_id}
        with self._store.writing(self._actor, self._action, self._study_id, **run) as (connection, entry):
            ledger.write(
                connection,
                entry,
                self._study_id,
                [attempt for attempt, _ in results if attempt],
                [label for _, labels in results for label in labels],
                self._run_id,
            )
