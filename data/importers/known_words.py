"""Find out whether the words of imported conversations were erased, are in this study already, or are in
another study, where raters may have seen a judge's labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, select, text

from data import schema
from data.importers.report import ImportReport
from data.record import studies
from data.record.conversations import is_erased
from data.record.known_words import WordDigests, find_same_words, was_unseen
from data.record.studies import Study, name_key
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from data.store.trail import TrailEntry, canonical
from data.work.same_words import saw_judge_of, saw_same_words
from words.plurals import count, inflect, join_words

# Conversations of this study and of others with the same words, both ways: each with its copy.
_COPIES = text("""
    SELECT own.conversation_id, other.conversation_id AS copy_id, theirs.study_id AS copy_study_id
    FROM known_words AS own
    JOIN conversation AS mine ON mine.id = own.conversation_id
    JOIN known_words AS other ON other.digest = own.digest
    JOIN conversation AS theirs ON theirs.id = other.conversation_id
    WHERE (mine.study_id = :study) <> (theirs.study_id = :study) AND own.digest IN (
        SELECT digest FROM known_words JOIN conversation ON conversation.id = conversation_id
        WHERE study_id = :study)
    ORDER BY own.conversation_id, theirs.study_id, other.conversation_id
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


def record_seen_elsewhere(
    connection: Connection, entry: TrailEntry, study: Study, report: ImportReport
) -> None:
    """Write to `seen_elsewhere` the blind ratings whose rater had seen a judge of the same words before:
    those of a new study because of the other studies here, and the other way round.

    The rows of each other study get an entry of their own, which belongs to that study.
    """
    seen = _find_seen_elsewhere(connection, study.id)
    for study_id, some in sorted(seen.items()):
        rows = [{"rating_id": each.rating_id, "of_study_id": each.of_study_id} for each in some]
        if study_id != study.id:
            other = studies.get(connection, study_id)
            detail = {"seen_in": study.key}
            trail = entry.follow(entry.action, canonical(detail).decode(), study_id)
            rows = [{**row, "trail": trail} for row in rows]
            report.notice(
                0, _say_not_blind(other.key, study.key, len(rows), sorted({each.name for each in some}))
            )
        entry.write_many(schema.seen_elsewhere, rows)


class _SeenElsewhere(NamedTuple):
    rating_id: int
    of_study_id: int
    name: str


def _find_seen_elsewhere(connection: Connection, study_id: int) -> dict[int, list[_SeenElsewhere]]:
    """Return study -> its blind ratings that are not blind, as `record_seen_elsewhere` says."""
    copies: dict[int, dict[int, list[int]]] = {}  # conversation -> study -> its conversations of these words
    for conversation_id, copy_id, copy_study_id in connection.execute(_COPIES, {"study": study_id}):
        copies.setdefault(conversation_id, {}).setdefault(copy_study_id, []).append(copy_id)
    of_person = dict[str, set[int]]()
    for name, conversation_ids in saw_judge_of(connection, copies).items():
        of_person.setdefault(name_key(name), set()).update(conversation_ids)
    is_seen = dict[tuple[Any, ...], bool]()  # the criteria of a unit, saved together, are asked about once
    seen: dict[int, list[_SeenElsewhere]] = {}
    for rating in _read_blind_ratings(connection, sorted(copies)) if of_person else ():
        for of_study_id, same in copies[rating.conversation_id].items():
            seen_copies = of_person.get(name_key(rating.name), set()).intersection(same)
            asked = (rating.rater_id, rating.conversation_id, rating.message, rating.at, of_study_id)
            if asked not in is_seen:
                is_seen[asked] = bool(seen_copies) and saw_same_words(
                    connection, rating, rating.rater_id, rating.at, seen_copies
                )
            if is_seen[asked]:
                row = _SeenElsewhere(rating.id, of_study_id, rating.name)
                seen.setdefault(rating.study_id, []).append(row)
                break
    return seen


def _read_blind_ratings(connection: Connection, conversation_ids: Sequence[int]) -> Iterator[Any]:
    """Yield the blind ratings by persons of these conversations, with name, conversation and reply."""
    rating, rater, unit = schema.rating, schema.rater, schema.unit
    columns = (rating.c.id, rating.c.study_id, rating.c.rater_id, rating.c.at, rater.c.name)
    for start in range(0, len(conversation_ids), MAX_IDS_PER_QUERY):
        some = conversation_ids[start : start + MAX_IDS_PER_QUERY]
        yield from connection.execute(
            select(*columns, unit.c.conversation_id, unit.c.message)
            .join(rater, rater.c.id == rating.c.rater_id)
            .join(unit, unit.c.id == rating.c.unit_id)
            .where(
                unit.c.conversation_id.in_(some),
                rater.c.kind == "person",
                rating.c.exposure == "blind",
                was_unseen(rating),
            )
            .order_by(rating.c.id)
        ).all()


def _say_not_blind(key: str, of: str, ratings: int, names: list[str]) -> str:
    had, they = inflect(len(names), "has", "have"), inflect(len(names), "this person", "they")
    labels = count(ratings, "label", "labels")
    no_longer = inflect(ratings, "does", "do")
    return (
        f"{join_words(names)} {had} seen a judge in {of} before {they} labelled the same words in the study "
        f"{key}: {labels} there {no_longer} not count as blind any more"
    )
