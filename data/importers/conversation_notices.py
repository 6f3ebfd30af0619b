"""Notices about conversations that look odd but can be imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from data.importers import reading
from data.importers.messages import UNKEPT, others_sentence, unkept_sentence
from data.importers.report import ImportReport
from scoring.transcripts import has_thoughts
from words.plurals import count, inflect

Messages = Sequence[tuple[str, str]]  # role, text


class ConversationNotices:
    """Reports what looks odd about each conversation and about the whole file."""

    def __init__(self, report: ImportReport) -> None:
        self._report = report
        self._said_twice = 0

    def note(self, line: int, messages: Messages, others: Mapping[str, int], numbered: bool) -> None:
        """Report what is odd about one conversation; `others` and `numbered` are those of ConversationRow."""
        report = self._report
        self._said_twice += not numbered and is_said_twice(messages)
        if messages[-1][0] == "user":
            report.notice(line, "the conversation ends with a message of the user that has no reply")
        if sentence := others_sentence(others):
            report.notice(line, sentence)
        if any(has_thoughts(role, text) for role, text in messages):
            report.notice_of_rows(
                line, "a reply begins with the model's thinking, marked as not shown to the user"
            )
        empty = [number for number, (_, text) in enumerate(messages, start=1) if not text.strip()]
        if empty:
            report.notice(
                line,
                f"message {empty[0]} is empty"
                + (f", and {len(empty) - 1} more" if len(empty) > 1 else "")
                + "; shown as such",
            )
        if next(role for role, _ in messages if role != "system") == "assistant":
            report.notice(line, "the conversation begins with the assistant")
        if unkept := unkept_sentence(others):
            report.notice(line, *unkept)
        if sample := _find_mojibake(messages, others.get(UNKEPT, 0)):
            report.notice(
                line,
                f'the text looks wrongly decoded ("{sample}")',
                "it was kept as it is. If it is wrong, save the source as UTF-8 and import it under a new id",
            )

    def tell(self) -> None:
        """Report what is odd about the file, after its last conversation."""
        if self._said_twice:
            number = self._said_twice
            says = count(number, "conversation says", "conversations say")
            it_was = inflect(number, "it was kept as it is", "they were kept as they are")
            under = inflect(number, "it under a new id", "them under new ids")
            self._report.notice(
                0,
                f"{says} everything twice: each message twice in a row, or the whole conversation again",
                f"{it_was}. If the export repeated the messages, remove the second ones and import {under}",
            )


def is_said_twice(messages: Messages) -> bool:
    """Tell whether each message occurs twice in a row, or all of them again; system messages don't count."""
    spoken = [message for message in messages if message[0] != "system"]
    half = len(spoken) // 2
    return len(spoken) == 2 * half and (spoken[:half] == spoken[half:] or spoken[::2] == spoken[1::2])


def _find_mojibake(messages: Messages, replaced: int) -> str | None:
    texts = [text for _, text in messages]
    if replaced and sum(text.count(reading.REPLACEMENT) for text in texts) == replaced:
        texts = [text.replace(reading.REPLACEMENT, "") for text in texts]
    return next((sample for text in texts if (sample := reading.mojibake(text))), None)
