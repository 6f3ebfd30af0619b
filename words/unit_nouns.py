"""What a person calls that which is rated in one go: a conversation, or a reply of the assistant. The field
calls it a unit, and so do files and commands.
"""

from __future__ import annotations

from dataclasses import dataclass

from words.plurals import count, inflect


@dataclass(frozen=True)
class UnitNoun:
    singular: str
    plural: str

    def count(self, number: int) -> str:
        """1 reply; 1,200 replies."""
        return count(number, self.singular, self.plural)

    def inflect(self, number: float) -> str:
        return inflect(number, self.singular, self.plural)

    def name(self, place: int) -> str:
        """Reply 3, of the third."""
        return f"{self.heading} {place:,}"

    @property
    def heading(self) -> str:
        return self.singular.capitalize()


CONVERSATION = UnitNoun("conversation", "conversations")  # also where no study is known
REPLY = UnitNoun("reply", "replies")


def noun_of(unit: str) -> UnitNoun:
    """`unit`: as an instrument says it."""
    return CONVERSATION if unit == "conversation" else REPLY
