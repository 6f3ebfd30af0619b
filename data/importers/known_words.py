"""What the store knows of the words of conversations that are imported: erased, in this study already, or in
another one, where somebody may have seen what a judge said of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import Connection, select

from data import schema
from data.importers.report import ImportReport
from data.record import studies
from data.record.conversations import is_erased
from data.record.known_words import WordDigests, find_same_words
from data.record.studies import Study
from data.store.trail import TrailEntry
from data.work.same_words import saw_judge_of
from words.plurals import count, inflect, join_words


class ImportedWords:
    """Digests of the conversations of one import. `erased`: how many of them were erased before."""

    def __init__(self, connection: Connection, entry: TrailEntry, study: Study) -> None:
        self._connection, self._study = connection, study
        self._digests = WordDigests(connection, entry)
        self._erased = _read_erased(connection)
        self._imported: set[str] = set()
        self.erased = 0

    def digest(self, messages: Sequence[tuple[str, str]]) -> str | None:
        """Of what a conversation says; None where it says nothing."""
        return self._digests.digest(messages)

    def is_erased(self, digest: str | None) -> bool:
        """Whether the words were erased, in whichever study; if not, they count as imported."""
        if digest is None:
            return False
        if digest in self._erased:
            self.erased += 1
            return True
        self._imported.add(digest)
        return False

    def tell(self, first: int, report: ImportReport) -> None:
        """Where else the words are. `first`: the id of the first conversation of this import."""
        again, elsewhere, new = 0, dict[int, list[int]](), Counter[int]()
        for same in find_same_words(self._connection, self._imported):
            own = [each for each in same if each.study_id == self._study.id]
            imported = sum(each.conversation_id >= first for each in own)
            again += imported - (own[0].conversation_id >= first)
            new.update(dict.fromkeys({each.study_id for each in same}, imported))
            for each in same:
                if each.study_id != self._study.id:
                    elsewhere.setdefault(each.study_id, []).append(each.conversation_id)
        if again:
            have = count(again, "conversation has", "conversations have")
            report.notice(
                0,
                f"{have} the same text as another one in the study. Conversations with the same text count "
                "as one in every interval and verdict",
            )
        for study_id, numbers in sorted(elsewhere.items()):
            report.notice(0, self._describe(study_id, new[study_id], numbers))

    def _describe(self, study_id: int, imported: int, conversation_ids: list[int]) -> str:
        """Of a study with `imported` conversations of this import, which are `conversation_ids` there."""
        key = studies.get(self._connection, study_id).key
        are = count(imported, "conversation is", "conversations are")
        seen = saw_judge_of(self._connection, conversation_ids)
        if not seen:
            return f"{are} word for word in the study {key} too"
        have = inflect(len(seen), "has", "have")
        what = inflect(len(seen), "what this person labels", "what they label")
        return (
            f"{are} word for word in the study {key} too, whose judge {join_words(seen)} {have} seen; {what} "
            "of them here does not count as blind"
        )


def _read_erased(connection: Connection) -> set[str]:
    """Digests of all words that were erased."""
    table, conversation = schema.known_words, schema.conversation
    return set(
        connection.execute(
            select(table.c.digest)
            .join(conversation, conversation.c.id == table.c.conversation_id)
            .where(is_erased())
        ).scalars()
    )
