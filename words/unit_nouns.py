"""What people call a unit, the thing that is rated in one go: a conversation or a reply of the assistant.
Files and commands call it a unit.
"""

from __future__ import annotations

from dataclasses import dataclass

from words.plurals import count, inflect


@dataclass(frozen=True)
class UnitNoun:
    singular: str
    plural: str

    def count(self, number: int) -> str:
        """Return "1 reply" or "1,200 replies"."""
        return count(number, self.singular, self.plural)

    def inflect(self, number: float) -> str:
        """Return the singular for 1, else the plural."""
        return inflect(number, self.singular, self.plural)

    def name(self, place: int) -> str:
        """Return "Reply 3" for place 3."""
        return f"{self.heading} {place:,}"

    @property
    def heading(self) -> str:
        return self.singular.capitalize()


CONVERSATION = UnitNoun("conversation", "conversations")  # also if no study is known
REPLY = UnitNoun("reply", "replies")


def noun_of(unit: str) -> UnitNoun:
    """Return the noun for an instrument's `unit`."""
    return CONVERSATION if unit == "conversation" else REPLY
