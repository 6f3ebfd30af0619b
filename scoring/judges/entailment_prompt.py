"""Asking a judge whether one text follows from another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, model_validator

from configs.files.yaml_files import content_hash, read_model
from scoring.entailment import VERDICTS
from scoring.instruments import Identifier, Strict
from scoring.judges import readers, reply_parsing
from scoring.judges.catalogue import DataClass, JudgeEntry
from scoring.judges.judge_client import JudgeRequest, request_key, schema_hash, sha
from scoring.judges.prompts import barred, fill
from scoring.judges.readers import ReaderName
from scoring.judges.reply_parsing import Verdict

FILE = "entailment_judge.yaml"


class EntailmentPromptFile(Strict):
    key: Identifier
    version: Identifier
    system: str = Field(min_length=1)
    question: str = Field(min_length=1)

    @model_validator(mode="after")
    def _holds_both_texts(self) -> EntailmentPromptFile:
        placeholders = re.findall(r"\{\{(\w*)\}\}", self.question)
        if sorted(placeholders) != ["hypothesis", "premise"] or "{{" in self.system:
            raise ValueError(
                "the question needs {{premise}} and {{hypothesis}}, each once, and nothing else in double "
                "braces"
            )
        return self


@dataclass(frozen=True)
class EntailmentPrompt:
    """The prompt file with the hash of its text, which is part of the identity of who answers."""

    file: EntailmentPromptFile
    body: str
    sha256: str

    @property
    def name(self) -> str:
        return f"{self.file.key} {self.file.version} {self.sha256[:12]}"

    def request(
        self, asked_as: JudgeEntry, premise: str, hypothesis: str, data_class: DataClass
    ) -> JudgeRequest:
        """Return the request that asks a judge whether the hypothesis follows from the premise."""
        question = fill(self.file.question, {"premise": barred(premise), "hypothesis": barred(hypothesis)})
        schema = reply_parsing.schema_of(reply_parsing.reply_model(VERDICTS, "none"))
        key = request_key(asked_as, sha(self.file.system), sha(question), schema_hash(schema), 0)
        return JudgeRequest(self.file.system, question, schema, data_class, key)


def load_entailment_prompt(folder: Path) -> EntailmentPrompt:
    """Read the entailment prompt in `folder`, that of the judges' prompts. Raise ConfigFileError if it
    can't be used.
    """
    file, body = read_model(folder / FILE, EntailmentPromptFile)
    return EntailmentPrompt(file, body, content_hash(body))


def read_entailment(reply: str, reader: ReaderName) -> Verdict:
    """Return the verdict in a judge's reply. Raise UnreadableReply if it can't be read."""
    return readers.read_answer(reader, reply, VERDICTS, "none", 0)
