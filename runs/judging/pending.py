"""Find what is still to be asked: everything without a judgement, in the order of the units, a few units at a
time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice

from data.record import ledger, units
from data.record.asked_questions import asked_in_unit
from data.record.ledger import LedgerLabel, is_of_judge
from data.record.units import Unit
from data.store.store import Store
from runs.judging.calls import SEVERAL, Call, CallBuilder
from runs.judging.ledger_rows import labels_of_verdicts
from scoring.instruments import Criterion
from scoring.judges.reply_parsing import UnreadableReply
from scoring.judges.statuses import OK

A_FEW = 4
Wanted = Callable[[Unit], list[Criterion]]
Verdict = tuple[str, str | None]  # status, label


class PendingCalls:
    """The calls of one phase of a run. `wanted`: which criteria of a unit. `replicates`: which repetitions,
    in a round of anchors or, with `anchor_round` 0, of the study.
    """

    def __init__(
        self,
        store: Store,
        caller: CallBuilder,
        judge_id: int,
        unit_ids: Sequence[int],
        replicates: Sequence[int],
        retry_failures: bool,
        wanted: Wanted | None = None,
        anchor_round: int = 0,
        whole_form: bool = False,
    ) -> None:
        """Args:
        Args:
            whole_form: include questions that may turn out not to be asked, for an estimate.
        """
        self._store, self._caller, self._judge_id = store, caller, judge_id
        self._anchor_round = anchor_round
        self._unit_ids, self._replicates, self._retry = list(unit_ids), replicates, retry_failures
        self._wanted = wanted or caller.asked
        # If questions depend on answers: those asked after the first answers so far.
        self._follows_answers = (
            caller.study.instrument.conditional
            and not whole_form
            and anchor_round == 0
            and list(replicates) == [0]
        )
        self.erased: dict[tuple[int, int], int] = {}  # (unit, replicate) -> number of possible calls
        self.twice: list[Call] = []

    def leftover(self) -> PendingCalls:
        """Return the calls whose request occurred twice; by now the ledger holds the answer."""
        asked_again = {(call.unit_id, name) for call in self.twice for name, _ in call.questions}
        return PendingCalls(
            self._store,
            self._caller,
            self._judge_id,
            sorted({unit for unit, _ in asked_again}),
            self._replicates,
            self._retry,
            lambda unit: [c for c in self._wanted(unit) if (unit.id, c.id) in asked_again],
            self._anchor_round,
        )

    def count(self) -> int:
        """Return the number of calls, including those answered from the ledger."""
        return sum(self._calls_of(criteria) for _, _, criteria in self._open())

    def _calls_of(self, criteria: Sequence[Criterion]) -> int:
        return (1 if criteria else 0) if self._caller.asked_as.batching == "trial" else len(criteria)

    def _open(self) -> Iterator[tuple[Unit, int, list[Criterion]]]:
        waiting = iter(self._unit_ids)
        while some := list(islice(waiting, A_FEW * 64)):
            with self._store.reading() as connection:
                open_units = units.by_ids(connection, some)
                stored_verdicts = ledger.verdicts(connection, self._judge_id, some, self._anchor_round)
            for unit in open_units:
                asked = self._asked_so_far(unit, stored_verdicts) if self._follows_answers else None
                for replicate in self._replicates:
                    criteria = [
                        c
                        for c in self._wanted(unit)
                        if (asked is None or c.id in asked)
                        and self._is_open(stored_verdicts.get((unit.id, c.id, replicate)))
                    ]
                    if criteria:
                        yield unit, replicate, criteria

    def _asked_so_far(self, unit: Unit, verdicts: Mapping[tuple[int, str, int], Verdict]) -> set[str]:
        """Return the criteria asked after the first answers; repeated answers don't decide."""
        labels = {
            name: label
            for (number, name, replicate), (_, label) in verdicts.items()
            if number == unit.id and replicate == 0
        }
        return asked_in_unit(self._caller.study, unit, labels)

    def _is_open(self, verdict: Verdict | None) -> bool:
        return verdict is None or (self._retry and verdict[0] != OK)

    def calls(self, adopt: Callable[[list[LedgerLabel]], None]) -> Iterator[Call]:
        """Yield the pending calls one by one."""
        return chain.from_iterable(self.handfuls(adopt))

    def handfuls(self, adopt: Callable[[list[LedgerLabel]], None]) -> Iterator[list[Call]]:
        """Yield the calls to ask. Earlier answers of this judge to the very same request go to `adopt`
        instead.

        A request that occurs twice, as in a conversation that was imported twice, is asked once; the other
        waits for the answer.
        """
        seen: set[str] = set()
        waiting = self._open()
        while some := list(islice(waiting, A_FEW)):
            fresh, labels = self._fresh(some)
            if labels:
                adopt(labels)
            handful: list[Call] = []
            for call in fresh:
                (self.twice if call.request.key in seen else handful).append(call)
                seen.add(call.request.key)
            yield handful

    def _fresh(self, some: list[tuple[Unit, int, list[Criterion]]]) -> tuple[list[Call], list[LedgerLabel]]:
        calls: list[Call] = []
        with self._store.reading() as connection:
            for unit, replicate, criteria in some:
                messages = units.transcript(connection, unit)
                if messages is None:
                    self.erased[unit.id, replicate] = self._calls_of(criteria)
                else:
                    calls += self._caller.calls(unit, messages, criteria, replicate, self._anchor_round)
            keys = [call.request.key for call in calls]
            stored_replies = ledger.find_replies(connection, is_of_judge(self._judge_id), keys, newest=True)
        fresh: list[Call] = []
        labels: list[LedgerLabel] = []
        for call in calls:
            _, reply = stored_replies.get(call.request.key, (0, None))
            read = self._read(call, reply)
            if read is None:
                fresh.append(call)
            labels += read or []
        return fresh, labels

    def _read(self, call: Call, reply: str | None) -> list[LedgerLabel] | None:
        if reply is None:
            return None
        try:
            verdicts = call.read(reply)
        except UnreadableReply:
            return None
        if self._retry and not all(verdicts.values()):  # it left a question open, which is asked again
            return None
        return labels_of_verdicts(self._judge_id, call, verdicts)


def calls_about(store: Store, caller: CallBuilder, pairs: Sequence[tuple[int, str]]) -> Iterator[Call]:
    """Yield the first calls about these (unit, criterion or criteria of a call), pending or not."""
    named: dict[int, list[str]] = {}
    for unit_id, criterion in pairs:
        named.setdefault(unit_id, []).append(criterion)
    waiting = iter(named)
    while some := list(islice(waiting, A_FEW)):
        with store.reading() as connection:
            for unit in units.by_ids(connection, some):
                messages = units.transcript(connection, unit)
                for criterion in named[unit.id] if messages is not None else []:
                    asked = [
                        c
                        for c in caller.asked(unit)
                        if criterion == ledger.WHOLE_UNIT or c.id in criterion.split(SEVERAL)
                    ]
                    yield from caller.calls(unit, messages or [], asked, 0)


def first_labels(
    store: Store, study_id: int, judge_id: int, unit_ids: Sequence[int]
) -> dict[tuple[int, str], str]:
    """Return (unit, criterion) -> label of the first verdict, if it has one."""
    label_by_question: dict[tuple[int, str], str] = {}
    waiting = iter(unit_ids)
    while some := list(islice(waiting, 500)):
        with store.reading() as connection:
            for (unit_id, criterion, replicate), (_, label) in ledger.verdicts(
                connection, judge_id, some
            ).items():
                if replicate == 0 and label is not None:
                    label_by_question[unit_id, criterion] = label
    return label_by_question
