"""Make the calls about a unit: which questions, with which prompt and key, and how the reply is read."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from data.record.ledger import WHOLE_UNIT
from data.record.studies import Study
from data.record.units import Unit
from scoring.instruments import Criterion
from scoring.judges import readers, reply_parsing
from scoring.judges.catalogue import DataClass, JudgeEntry
from scoring.judges.judge_client import JudgeRequest, RequestMaterial, request_key, schema_hash, sha
from scoring.judges.prompts import Prompt
from scoring.judges.readers import ReaderName
from scoring.judges.reply_parsing import Verdict
from scoring.plan_alignment import parse_plan
from scoring.transcripts import Message, turn_numbers

SEVERAL = "+"  # between question ids, if a call asks some of a unit's questions
CHARACTERS_A_TOKEN = 4  # in English prose; used only to estimate costs


@dataclass(frozen=True, slots=True)
class Call:
    """A request and the questions whose labels it gives.

    `criterion`: their name in the ledger: the question, several questions, or the whole unit. `anchor_round`:
    from 1; 0 for a question of the study. `replicate`: which repetition.
    """

    request: JudgeRequest
    conversation_id: int
    unit_id: int
    criterion: str
    anchor_round: int
    replicate: int
    questions: tuple[tuple[str, tuple[str, ...]], ...]
    cites: reply_parsing.Cites
    turns: int
    prompt_sha256: str
    together: bool
    lines: bool
    reader: ReaderName

    @property
    def tokens(self) -> int:
        """Roughly how many tokens are sent."""
        return (len(self.request.system) + len(self.request.user)) // CHARACTERS_A_TOKEN

    @property
    def bytes(self) -> tuple[int, int]:
        """(ASCII bytes, other bytes) sent. Each other byte may be a token of its own."""
        whole = self.request.system + self.request.user
        plain = len(whole.encode("ascii", "ignore"))
        return plain, len(whole.encode("utf-8", "replace")) - plain

    def read(self, reply: str) -> dict[str, Verdict | None]:
        """Return the verdict of each question, None if it has no readable label. Raises UnreadableReply if
        the whole reply can't be read.
        """
        if not self.together:
            name, labels = self.questions[0]
            return {name: readers.read_answer(self.reader, reply, labels, self.cites, self.turns)}
        read_verdicts = (
            reply_parsing.read_lines(reply, self.questions)
            if self.lines
            else readers.read_answers(self.reader, reply, self.questions, self.cites, self.turns)
        )
        if not any(read_verdicts.values()):
            raise reply_parsing.UnreadableReply("no question has a label")
        return read_verdicts


def _asking_number(anchor_round: int, replicate: int) -> int:
    """Return the number of a repetition in a request's key: anchor rounds follow the questions of the study.

    It must never change, because earlier replies are found by their keys.
    """
    return replicate if anchor_round == 0 else 2_000_000 + (anchor_round - 1) * 3 + replicate


@dataclass
class CallBuilder:
    """Makes the calls of one judge about one study. `criteria`: those that it judges; None means all.
    `left_out`: conversations that it skips.
    """

    study: Study
    prompt: Prompt
    asked_as: JudgeEntry
    criteria: frozenset[str] | None = None
    left_out: frozenset[int] = frozenset()
    _schemas: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._system = self.prompt.file.system
        self._system_sha = sha(self._system)
        self._lines = bool(
            self.study.instrument.criteria_from
        )  # the published prompt asks for all strategies of a plan

    @property
    def parser(self) -> str:
        """The name of the reader of replies, a part of the judge's identity."""
        asks_for_lines = self._lines and self.asked_as.batching == "trial"
        return reply_parsing.LINES_PARSER if asks_for_lines else self._reader

    @property
    def _reader(self) -> ReaderName:
        return self.asked_as.reader or readers.ONE_OBJECT

    def asked(self, unit: Unit) -> list[Criterion]:
        """Return the criteria that are asked about a unit; those that don't apply by rule are not asked."""
        if unit.conversation_id in self.left_out:
            return []
        rule = self.study.instrument.forced_not_applicable
        return [
            criterion
            for criterion in unit.criteria(self.study)
            if rule(criterion, unit.turns) is None
            and (self.criteria is None or criterion.id in self.criteria)
        ]

    def calls(
        self,
        unit: Unit,
        messages: Sequence[Message],
        criteria: Sequence[Criterion],
        replicate: int,
        anchor_round: int = 0,
    ) -> list[Call]:
        """Return the calls about these criteria of a unit. `messages`: up to the one that is rated."""
        shown, response = self._shown(unit, messages)
        before = self.prompt.about_unit(self.study.instrument, self.study.taxonomy, shown, response)
        turns = max(turn_numbers([message.role for message in shown]), default=0)
        begun = hashlib.sha256(before.encode("utf-8", "surrogatepass"))
        if self.asked_as.batching == "trial":
            return (
                [
                    self._call(
                        unit,
                        before,
                        begun,
                        self.prompt.about_all(self.study.instrument, criteria),
                        criteria,
                        anchor_round,
                        replicate,
                        turns,
                    )
                ]
                if criteria
                else []
            )
        calls = [
            self._call(
                unit,
                before,
                begun,
                self.prompt.about_criterion(self.study.instrument, c),
                [c],
                anchor_round,
                replicate,
                turns,
            )
            for c in criteria
        ]
        return [
            replace(call, request=replace(call.request, material=self.material(unit, messages, c)))
            for call, c in zip(calls, criteria, strict=True)
        ]

    def material(self, unit: Unit, messages: Sequence[Message], criterion: Criterion) -> RequestMaterial:
        """Return what a judge without a prompt reads: the replies without plans, or only the rated reply."""
        shown, _ = self._shown(unit, messages)
        numbers = turn_numbers([message.role for message in shown])
        replies = [
            (message.text, number)
            for message, number in zip(shown, numbers, strict=True)
            if message.role == "assistant" and message.text.strip()
        ]
        if unit.message is not None:
            replies = replies[-1:]
        texts, turns = zip(*replies, strict=True) if replies else ((), ())
        statement = f"{criterion.name}. {criterion.checks_for.strip()}"
        return RequestMaterial(criterion.id, statement, texts, turns, self.prompt.file.cites == "turns")

    def _shown(self, unit: Unit, messages: Sequence[Message]) -> tuple[list[Message], str]:
        """Return the messages and the rated reply without plans, because a plan is not what was done."""
        if not self.study.instrument.criteria_from or self.study.taxonomy is None:
            return list(messages), messages[-1].text if messages else ""
        shown = [
            Message(m.role, parse_plan(m.text, self.study.taxonomy).response) if m.role == "assistant" else m
            for m in messages
        ]
        return shown, shown[-1].text

    def _call(
        self,
        unit: Unit,
        before: str,
        begun: hashlib._Hash,
        question: str,
        criteria: Sequence[Criterion],
        anchor_round: int,
        replicate: int,
        turns: int,
    ) -> Call:
        cites = self.prompt.file.cites
        questions = tuple(
            (c.id, tuple(level.id for level in self.study.instrument.permitted(c))) for c in criteria
        )
        together = self.asked_as.batching == "trial"
        lines = together and self._lines
        if lines:
            schema = None
        else:
            model = (
                reply_parsing.trial_model(questions, cites)
                if together
                else reply_parsing.reply_model(questions[0][1], cites)
            )
            schema = reply_parsing.schema_of(model)
        tail = "\n" + question
        hashed = begun.copy()
        hashed.update(tail.encode("utf-8", "surrogatepass"))
        user_sha = hashed.hexdigest()
        key = request_key(
            self.asked_as,
            self._system_sha,
            user_sha,
            self._schema_sha(schema, questions, together),
            _asking_number(anchor_round, replicate),
        )
        data_class: DataClass = self.study.data_class  # type: ignore[assignment]  # the store allows no other value
        request = JudgeRequest(self._system, before + tail, schema, data_class, key)
        named = SEVERAL.join(c.id for c in criteria)
        whole = together and len(criteria) == len(self.asked(unit))
        return Call(
            request,
            unit.conversation_id,
            unit.id,
            WHOLE_UNIT if whole else named,
            anchor_round,
            replicate,
            questions,
            cites,
            turns,
            sha(self._system_sha + user_sha),
            together,
            lines,
            self._reader,
        )

    def _schema_sha(
        self, schema: object, questions: tuple[tuple[str, tuple[str, ...]], ...], together: bool
    ) -> str:
        name = repr(questions) if together else repr(questions[0][1])
        if name not in self._schemas:
            self._schemas[name] = schema_hash(schema)  # type: ignore[arg-type]
        return self._schemas[name]
