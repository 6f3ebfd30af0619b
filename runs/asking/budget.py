"""What a run may cost, and what a call may cost before its answer tells."""

from __future__ import annotations

from runs.asking.engine_parts import EngineCall
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer


class Budget:
    """In billionths of the currency of the judge's prices. `spent`: by this run so far; `reserved`: for calls
    without an answer yet; `limit`: None where there is none.
    """

    def __init__(self, entry: JudgeEntry, limit: int | None) -> None:
        self._entry, self.limit = entry, limit
        self.spent = 0
        self.reserved = 0
        self._ratio = 0.5  # tokens a byte: the most seen so far, or a guess that is too high

    def passed_by(self, worst: int) -> bool:
        """Whether what is spent, reserved and may be added now is more than the limit."""
        return self.limit is not None and self.spent + self.reserved + worst > self.limit

    def describe_stop(self, what: str) -> str:
        """The sentence for a run that is stopped before its next `what`, a call or a batch."""
        currency = self._entry.price.currency if self._entry.price else ""
        return (
            f"The budget of this run would be passed by the next {what}: "
            f"{self.spent / 1e9:,.4f} of {(self.limit or 0) / 1e9:,.4f} {currency} is spent."
        )

    def learn(self, call: EngineCall, answer: JudgeAnswer, first: bool) -> None:
        """How many tokens a byte is. `first`: before any other reply; what was guessed is forgotten then."""
        if answer.usage and answer.usage.input:
            self._ratio = max(0.0 if first else self._ratio, answer.usage.input / sum(call.bytes))

    def worst_cost(self, call: EngineCall, room: int, batched: bool = False) -> int:
        """What a call costs at most, as far as can be known before it is made."""
        if self._entry.price is None:
            return 0
        plain, other = call.bytes
        return self._entry.price.nano(
            round(plain * self._ratio * 1.1) + other + 64, self._entry.max_output_tokens * room, 0, batched
        )
