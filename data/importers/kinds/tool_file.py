"""A file of another tool, read as one of the profiles in configs/import_profiles says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from jmespath.exceptions import JMESPathError
from sqlalchemy import Connection

from data.importers import conversations
from data.importers.file_parts import FileParts, PartAnswers, add_parts
from data.importers.file_sample import FileSample
from data.importers.import_options import (
    SAME_PERSON,
    WITHOUT_TEXT,
    AnyImportOption,
    ImportOption,
    NewStudyOption,
    SameRatersOption,
    TurnsOption,
    exposure_options,
)
from data.importers.imported_ratings import require_exposure
from data.importers.importer import Importer
from data.importers.profiles.profile import Profile, fitting, profile_problems, profiles
from data.importers.profiles.record_reader import PARTS, RecordReader, ToolAnswers, records
from data.importers.read_sample import read_sample
from data.importers.report import ImportReport
from data.importers.row_file import kept_rows, open_row_file
from data.record.studies import Study
from data.store.errors import StoreError
from data.store.trail import TrailEntry
from words.plurals import count, inflect, join_words

GIVERS = ("people", "judges")
SAY_TOOL = 'say which, on the page under "Form of the file", in a terminal with --tool'


class ToolFiles(Importer):
    name = "tool"
    title = "A file of another tool"
    order = 5  # before the plain forms: a profile fits only files that have the tool's own fields
    action = "import tool file"
    page_key = "tool"
    help = (
        "Import conversations and labels from FILE of another tool: Label Studio, Langfuse, LangSmith, "
        "MLflow, Phoenix, Inspect, REDCap, Argilla and others. The profiles are in configs/import_profiles."
    )
    layout = "An export of another tool, as it wrote it. The form is recognised by what is in the file."
    endings = ("json", "jsonl", "csv", "tsv", "eval")
    options: tuple[AnyImportOption, ...] = (
        NewStudyOption(),
        *exposure_options(),
        ImportOption(
            name="judge",
            flag="--judge",
            default="",
            help="The name of the judge, if the file does not name it.",
            label="Name of the judge",
            placeholder="empty: as the file names it",
            longest=80,
            key="import-judge",
            rare=True,
        ),
        ImportOption(
            name="labels",
            flag="--label",
            several=True,
            metavar="WORD=LABEL",
            help="A word of the file and the label that it means, such as 9=NA; failure if the judge failed. "
            "May be repeated.",
            label="Other words for labels",
            placeholder="9=NA, pass=YES",
            longest=2000,
            key="import-tool-labels",
            rare=True,
        ),
        ImportOption(
            name="givers",
            flag="--giver",
            several=True,
            metavar="WORD=people|judges",
            help="Who gave the labels of a source that the tool leaves open, such as api=judges; may be "
            "repeated.",
            label="Who gave these labels",
            placeholder="API=judges",
            longest=2000,
            key="import-tool-givers",
            rare=True,
        ),
        ImportOption(
            name="criterion",
            flag="--criterion",
            default="",
            help="The criterion of all labels, if the file does not name it.",
            label="Criterion",
            placeholder="empty: as the file names it",
            key="import-tool-criterion",
            rare=True,
        ),
        ImportOption(
            name="rater_column",
            flag="--rater-column",
            default="",
            metavar="COLUMN",
            help="The column or field of a record that names the person who gave a label.",
            label="The column that names the person",
            placeholder="empty: as the tool writes it",
            key="import-rater-column",
            rare=True,
        ),
        ImportOption(
            name="assistant",
            flag="--assistant",
            several=True,
            metavar="NAME",
            help="A speaker who is the assistant, if the file doesn't say it; everybody else is the user. "
            "May be repeated.",
            label="Who is the assistant?",
            placeholder="empty: as the file says it",
            longest=2000,
            key="import-tool-assistant",
            rare=True,
        ),
        ImportOption(
            name="tool",
            flag="--tool",
            default="",
            metavar="PROFILE",
            help="The profile to read the file with; recognised by default.",
            label="Form of the file",
            placeholder="empty: as recognised",
            key="import-tool-profile",
            rare=True,
        ),
        SAME_PERSON,
        SameRatersOption(),
        TurnsOption(),
        WITHOUT_TEXT,
    )

    def recognises(self, sample: FileSample) -> bool:
        """Tell whether a profile fits a file that begins like this."""
        return bool(fitting(sample))

    def describe(self, sample: FileSample) -> tuple[str, int, str]:
        """Return what the file is, the number of its records in the sample, and what they are called."""
        names = fitting(sample)
        if not names:
            return super().describe(sample)
        profile = profiles()[names[0]]
        try:
            number = sum(len(records(profile, dict(row))) for row in sample.rows)
        except JMESPathError:
            number = len(sample.rows)
        return profile.title, number, "records"

    def check(self, answers: Mapping[str, Any]) -> None:
        """Raise StoreError if an answer can't be read."""
        _answers(answers)
        tool = answers.get("tool")
        if tool and tool not in profiles():
            raise StoreError(f"There is no profile {tool!r}; there are {join_words(sorted(profiles()))}.")

    def detail(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return which answers the trail keeps."""
        named = (
            "exposure",
            "source",
            "judge",
            "criterion",
            "rater_column",
            "same_person",
            "tool",
            "turns",
            "text",
        )
        several = ("labels", "givers", "assistant", "same_raters")
        return {
            **{name: str(answers[name]) for name in named if answers.get(name)},
            **{name: sorted(answers[name]) for name in several if answers.get(name)},
        }

    def first_conversation(
        self, path: Path, sample: FileSample, answers: Mapping[str, Any]
    ) -> list[tuple[str, str]]:
        """Return (role, text) of each message of the first usable conversation; [] without one."""
        report = ImportReport(path.name)
        profile = _profile_of(path, sample, answers, report)
        if profile is None:
            return []
        items = RecordReader(profile, None, _answers(answers), report).items(path)
        rows = ((line, row) for line, part, row in items if part == "conversations")
        return next((row.messages for row in conversations.usable_rows(rows, report)), [])

    def add(
        self,
        connection: Connection,
        entry: TrailEntry,
        study: Study,
        path: Path,
        report: ImportReport,
        answers: Mapping[str, Any],
    ) -> None:
        """Write the contents of the file; problems go into the report, and then the caller rolls back."""
        profile = _profile_of(path, read_sample(path), answers, report)
        if profile is None:
            return
        with ExitStack() as stack:
            files = {part: stack.enter_context(open_row_file()) for part in PARTS}
            read = RecordReader(profile, study, _answers(answers), report).read(path, files)
            read.tell(study, report)
            _check_exposure(read.rows["ratings"], read.seen, answers, report)
            if not report.errors and not read.rows.total():
                report.error(0, f"{profile.title}, but it holds nothing that this study has a place for")
            if report.errors:
                return
            parts = {part: partial(kept_rows, files[part]) for part in PARTS if read.rows[part]}
            stated = PartAnswers.of(answers)
            add_parts(connection, entry, study, FileParts(**parts), stated, report, path.name)


def _check_exposure(ratings: int, seen: int, answers: Mapping[str, Any], report: ImportReport) -> None:
    if ratings:
        require_exposure(answers)
    if seen and answers.get("exposure") == "blind":
        labels = f"{count(seen, 'label', 'labels')} of people {inflect(seen, 'rests', 'rest')}"
        report.error(
            0,
            f"the file says that {labels} on a label of the judge, so these people had seen it; answer that "
            "they saw the judge's label",
        )


def _profile_of(
    path: Path, sample: FileSample, answers: Mapping[str, Any], report: ImportReport
) -> Profile | None:
    """Return the profile that was named or that fits alone; None after an error."""
    names = [answers["tool"]] if answers.get("tool") else fitting(sample)
    for problem in profile_problems():
        report.notice(0, f"a profile can't be used: {problem.removesuffix('.')}")
    if len(names) == 1:
        return profiles()[names[0]]
    if names:
        report.error(0, f"the file may be read as {' or '.join(names)}; {SAY_TOOL}")
    else:
        report.error(0, sample.problem or f"no profile fits this file; {SAY_TOOL}")
    return None


def _answers(answers: Mapping[str, Any]) -> ToolAnswers:
    """Return the answers. Raises StoreError for one that can't be read."""
    labels = _pairs(answers.get("labels") or (), "--label", "9=NA")
    givers = _pairs(answers.get("givers") or (), "--giver", "API=judges")
    if wrong := [word for word, means in givers.items() if means not in GIVERS]:
        raise StoreError(f"--giver {wrong[0]}={givers[wrong[0]]}: say people or judges.")
    return ToolAnswers(
        {word.casefold(): means for word, means in labels.items()},
        givers,
        str(answers.get("judge") or "").strip(),
        str(answers.get("criterion") or "").strip(),
        str(answers.get("rater_column") or "").strip(),
        tuple(answers.get("assistant") or ()),
    )


def _pairs(texts: Sequence[str], flag: str, example: str) -> dict[str, str]:
    pairs = {}
    for text in texts:
        word, equals, means = (part.strip() for part in text.rpartition("="))
        if not (word and equals and means):
            raise StoreError(f"{flag} {text!r}: write a word and what it means, such as {example}.")
        pairs[word] = means
    return pairs


IMPORTER = ToolFiles
