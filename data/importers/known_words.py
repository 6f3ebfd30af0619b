"""Find out whether the words of imported conversations were erased, are in this study already, or are in
another study, where raters may have seen a judge's labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select, text

from data import schema
from data.importers.report import ImportReport
from data.record import studies
from data.record.conversations import is_erased
from data.record.known_words import WordDigests, find_same_words
from data.record.studies import Study
from data.store.trail import TrailEntry
from data.work.same_words import saw_judge_of
from words.plurals import count, inflect, join_words

# Someone of this name saw a judge of the same words in another study here before they gave the rating.
_SEEN_ELSEWHERE = text("""
    SELECT rating.id AS rating_id, min(other_rater.study_id) AS of_study_id FROM rating
    JOIN rater ON rater.id = rating.rater_id AND rater.kind = 'person'
    JOIN unit ON unit.id = rating.unit_id
    JOIN known_words AS own ON own.conversation_id = unit.conversation_id
    JOIN known_words AS other ON other.digest = own.digest AND other.conversation_id <> own.conversation_id
    JOIN conversation ON conversation.id = other.conversation_id
    JOIN rater AS other_rater ON other_rater.study_id = conversation.study_id
        AND other_rater.kind = 'person' AND fold(other_rater.name) = fold(rater.name)
    JOIN exposure ON exposure.rater_id = other_rater.id AND exposure.at < rating.at AND (
        exposure.kind = 'page' OR exposure.unit_id IN (
            SELECT shown.id FROM unit AS shown WHERE shown.conversation_id = conversation.id))
    WHERE rating.study_id = :study AND rating.exposure = 'blind'
        AND rating.id NOT IN (SELECT seen_elsewhere.rating_id FROM seen_elsewhere)
    GROUP BY rating.id
""")


class _SameElsewhere(NamedTuple):
    """Words that another study holds: how many imported conversations have them, and the ids of that study's
    copies.
    """

    imported: int
    copies: set[int]


class ImportedWords:
    """Digests of the words of one import. `erased`: how many of its conversations were erased before."""

    def __init__(self, connection: Connection, entry: TrailEntry, study: Study) -> None:
        self._connection, self._study = connection, study
        self._digests = WordDigests(connection, entry)
        self._erased = _read_erased(connection)
        self._imported: set[str] = set()
        self.erased = 0

    def digest(self, messages: Sequence[tuple[str, str]]) -> str | None:
        """Return a digest of a conversation's words; None if there are no words."""
        return self._digests.digest(messages)

    def is_erased(self, digest: str | None) -> bool:
        """Tell whether the words were erased in any study; if not, count them as imported."""
        if digest is None:
            return False
        if digest in self._erased:
            self.erased += 1
            return True
        self._imported.add(digest)
        return False

    def tell(self, first: int, report: ImportReport) -> None:
        """Report where else the words are. `first`: the id of the first conversation of this import."""
        again, elsewhere = 0, dict[int, list[_SameElsewhere]]()
        for same in find_same_words(self._connection, self._imported):
            own = [each for each in same if each.study_id == self._study.id]
            imported = sum(each.conversation_id >= first for each in own)
            again += imported - (own[0].conversation_id >= first)
            for study_id in {each.study_id for each in same} - {self._study.id}:
                copies = {each.conversation_id for each in same if each.study_id == study_id}
                elsewhere.setdefault(study_id, []).append(_SameElsewhere(imported, copies))
        if again:
            have = count(again, "conversation has", "conversations have")
            report.notice(
                0,
                f"{have} the same text as another in the study. Conversations with the same text are "
                "treated as one in every interval and verdict",
            )
        for study_id, words in sorted(elsewhere.items()):
            report.notice(0, self._describe(study_id, words))

    def _describe(self, study_id: int, words: list[_SameElsewhere]) -> str:
        """Return a sentence: how many conversations the other study holds too, and who saw a judge there."""
        key = studies.get(self._connection, study_id).key
        seen = saw_judge_of(self._connection, set[int]().union(*(each.copies for each in words)))
        people = dict[frozenset[int], list[str]]()  # by the indices of the words whose judge they saw
        for name, seen_copies in sorted(seen.items()):
            places = frozenset(place for place, each in enumerate(words) if each.copies & seen_copies)
            people.setdefault(places, []).append(name)
        total = sum(each.imported for each in words)
        are = count(total, "conversation is", "conversations are")
        sentences = [f"{are} also in the study {key}, word for word"]
        for places, names in people.items():
            sentences.append(_say_seen(names, sum(words[place].imported for place in places), total))
        return ". ".join(sentences)


def _say_seen(names: list[str], seen: int, total: int) -> str:
    who = join_words(names)
    have = inflect(len(names), "has", "have")
    label = inflect(len(names), f"{who} labels", "they label")
    if total == 1:
        whose_labels, these = "its judge", "it"
    elif seen == total:
        whose_labels, these = f"the judge of all {seen:,}", "them"
    else:
        whose_labels = f"the judge of {seen:,} of them"
        these = inflect(seen, "this one", f"these {seen:,}")
    return f"{who} {have} seen {whose_labels} there, so what {label} of {these} here does not count as blind"


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


def find_seen_elsewhere(connection: Connection, study_id: int) -> list[dict[str, int]]:
    """Return rows of `seen_elsewhere` for the blind ratings of a new study: a person of the rater's name had
    seen a judge of the same words in another study here.
    """
    rows = connection.execute(_SEEN_ELSEWHERE, {"study": study_id}).mappings()
    return [{"rating_id": row["rating_id"], "of_study_id": row["of_study_id"]} for row in rows]
