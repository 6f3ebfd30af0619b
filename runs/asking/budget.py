"""What a run may cost, and what a call may cost before it is answered."""

from __future__ import annotations

from runs.asking.engine_parts import EngineCall
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer


class Budget:
    """Amounts in billionths of the currency of the judge's prices.

    `spent`: by this run so far. `reserved`: for calls without an answer yet. `limit`: None means no limit.
    """

    def __init__(self, entry: JudgeEntry, limit: int | None) -> None:
        self._entry, self.limit = entry, limit
        self.spent = 0
        self.reserved = 0
        self._ratio = 0.5  # tokens per byte: the highest seen so far, or at first a guess that is too high

    def passed_by(self, worst: int) -> bool:
        """Tell whether the spent and reserved amounts plus `worst` exceed the limit."""
        return self.limit is not None and self.spent + self.reserved + worst > self.limit

    def describe_stop(self, what: str) -> str:
        """Return the sentence for a run that stops before its next `what`, a call or a batch."""
        currency = self._entry.price.currency if self._entry.price else ""
        return (
            f"The next {what} would exceed the budget of this run: "
            f"{self.spent / 1e9:,.4f} of {(self.limit or 0) / 1e9:,.4f} {currency} is spent."
        )

    def learn(self, call: EngineCall, answer: JudgeAnswer, first: bool) -> None:
        """Update the tokens per byte. `first`: no other reply came before, so this one replaces the guess."""
        if answer.usage and answer.usage.input:
            self._ratio = max(0.0 if first else self._ratio, answer.usage.input / sum(call.bytes))

    def worst_cost(self, call: EngineCall, room: int, batched: bool = False) -> int:
        """Return the highest cost of a call, as far as it can be known beforehand."""
        if self._entry.price is None:
            return 0
        plain, other = call.bytes
        return self._entry.price.nano(
            round(plain * self._ratio * 1.1) + other + 64, self._entry.max_output_tokens * room, 0, batched
        )
