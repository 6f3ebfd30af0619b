"""Import a run folder of plan-output alignment: frozen_history.json, trials/trial_01.json ...,
judgments.json, metrics.json.

Each trial becomes a conversation: the history, then the trial's plan and response as the last reply.
metrics.json is compared with the trials, and differences are reported.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from configs.files.json_keys import KeyTwice, line_of_second_key, read_json
from configs.files.plain_files import open_plain, path_inside
from data.importers import conversations, published_forms, run_config
from data.importers.conversations import ConversationRow
from data.importers.imported_judgements import add_judgements
from data.importers.messages import (
    MalformedConversation,
    others_sentence,
    read_message,
    unkept_sentence,
    with_tool_replies,
)
from data.importers.report import ImportReport
from data.record import run_summaries
from data.record.judgements import JudgeIdentity
from data.record.run_summaries import RunSummary
from data.record.studies import Study
from data.store.trail import TrailEntry
from scoring.plan_alignment import parse_plan, plan_consistency

NUMBER = re.compile(r"trial_(\d+)\.json")
FILES = ("frozen_history.json", "judgments.json", "metrics.json", "config.yaml")
COMPARED = ("validity_rate", "jaccard_all", "jaccard_valid_only", "modal_set_agreement")


def add(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    folder: Path,
    judge: JudgeIdentity,
    report: ImportReport,
) -> None:
    """Write a run with its judge's labels; problems go into the report, and then the caller rolls back."""
    if study.taxonomy is None:
        report.error(
            0,
            f"the study {study.key} has no taxonomy of strategies, so a run of declared plans can't be "
            "imported into it",
        )
        return
    for path in (*(folder / name for name in FILES), *(folder / "trials").glob("trial_*.json")):
        name = path.relative_to(folder).as_posix()
        try:
            path_inside(folder, name)
        except ValueError as error:
            report.error(0, f"{name}: {error}")
    if report.errors:
        return
    history = _history(folder, report)
    trials = list(_trials(folder, history, report))
    if not trials and not report.errors:
        report.error(0, "there is no trials/trial_01.json in the folder")
    if report.errors:
        return
    conversations.add_all(connection, entry, study, trials, report)
    judgments = folder / "judgments.json"
    if judgments.is_file() and not report.errors:
        report.file = f"{folder.name}/judgments.json"
        add_judgements(
            connection,
            entry,
            study,
            published_forms.judgments_json(judgments, report),
            report,
            judge,
            f"{folder.name}/judgments.json",
        )
    _compare(folder, trials, study, report)
    report.file = folder.name
    _summary(
        connection,
        entry,
        study,
        run_config.summary(
            folder, len(history), len(trials), [row.facts.get("temperature") for row in trials], report
        ),
        report,
    )


def _summary(
    connection: Connection, entry: TrailEntry, study: Study, run_summary: RunSummary, report: ImportReport
) -> None:
    """Keep the facts of the run. A study holds one run: the same trials in another folder are the same
    run.
    """
    other = next(
        (
            stored_run.run
            for stored_run in run_summaries.listing(connection, study.id)
            if stored_run.source == "folder" and stored_run.run != run_summary.run
        ),
        None,
    )
    if other is not None:
        report.notice(
            0, f"the study holds these trials as the run {other!r}; this folder is treated as the same run"
        )
        return
    summaries = run_summaries.RunSummaryTable(connection, study)
    try:
        summaries.put(run_summary)
    except run_summaries.ConflictingValue as wrong:
        report.error(
            0,
            f"the run was imported with {wrong.name} {wrong.there}, but the folder now says {wrong.now}; the "
            "study keeps the first",
        )
    else:
        summaries.write(entry, run_summary.run)


def _history(folder: Path, report: ImportReport) -> list[tuple[str, str]]:
    path = folder / "frozen_history.json"
    if not path.is_file():
        report.notice(0, "there is no frozen_history.json; the trials have no earlier messages")
        return []
    value = _json(path, report)
    messages = value.get("messages") if isinstance(value, dict) else None
    if not isinstance(messages, list):
        report.error(0, "frozen_history.json has no list of messages")
        return []
    others: Counter[str] = Counter()
    messages_read: list[tuple[str, str]] = []
    for number, message in enumerate(messages, start=1):
        try:
            messages_read.append(read_message(message, number, others))
        except MalformedConversation:
            report.error(0, f"frozen_history.json, message {number}: expected role and content")
    if sentence := others_sentence(others):
        report.notice(0, f"frozen_history.json: {sentence}")
    if unkept := unkept_sentence(others):
        report.notice(0, f"frozen_history.json: {unkept[0]}", unkept[1])
    return with_tool_replies(messages_read)


def _trials(folder: Path, history: list[tuple[str, str]], report: ImportReport) -> Iterator[ConversationRow]:
    numbered = sorted(
        (int(match.group(1)), path)
        for path in (folder / "trials").glob("trial_*.json")
        if (match := NUMBER.fullmatch(path.name))
    )
    seen: set[int] = set()
    for number, path in numbered:
        if number in seen:
            report.error(0, f"the folder has trial {number} twice; the second is trials/{path.name}")
            continue
        seen.add(number)
        value = _json(path, report)
        if not isinstance(value, dict):
            report.error(0, f"trials/{path.name} is not an object")
            continue
        plan, response = value.get("plan") or "", value.get("response") or ""
        if not isinstance(plan, str) or not isinstance(response, str):
            report.error(0, f"trials/{path.name}: plan and response must be texts")
            continue
        strategies = value.get("strategies") or []
        if not isinstance(strategies, list) or not all(isinstance(name, str) for name in strategies):
            report.error(0, f"trials/{path.name}: strategies must be a list of ids")
            continue
        reply = f"{plan}\n\n{response}".strip()
        facts = {
            name: value[name]
            for name in ("temperature", "strategies", "plan_usage", "response_usage")
            if name in value
        }
        yield ConversationRow(
            number, f"trial_{number:02d}", [*history, ("assistant", reply)], {**facts, "run": folder.name}
        )


def _json(path: Path, report: ImportReport) -> Any:
    text = ""
    try:
        with open_plain(path) as file:
            text = file.read().decode("utf-8-sig")
        value = read_json(text)
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # half a character can't be kept
        return value
    except KeyTwice as error:
        report.error(0, f"{path.name}, line {line_of_second_key(text)}: {error}")
        return None
    except (ValueError, RecursionError) as error:
        report.error(0, f"{path.name} can't be read ({error})")
        return None


def _compare(folder: Path, trials: list[ConversationRow], study: Study, report: ImportReport) -> None:
    """Report differences between metrics.json and the trials."""
    path = folder / "metrics.json"
    if not path.is_file() or study.taxonomy is None:
        return
    metrics_file = _json(path, ImportReport(report.file))
    if not isinstance(metrics_file, dict):
        report.notice(0, "metrics.json is not an object; it was left out")
        return
    strategy_ids = {strategy.id for strategy in study.taxonomy.strategies}
    sets = [
        set(strategy_ids.intersection(trial.facts["strategies"]))
        if isinstance(trial.facts.get("strategies"), list)
        else set(parse_plan(trial.messages[-1][1], study.taxonomy).declared)
        for trial in trials
    ]
    expected_numbers = plan_consistency(sets).reference
    for name in COMPARED:
        value = metrics_file.get(name)
        if isinstance(value, int | float) and abs(value - expected_numbers[name]) > 1e-6:
            report.notice(
                0, f"metrics.json says {name} {value:.4f}, the trials give {expected_numbers[name]:.4f}"
            )
    if isinstance(metrics_file.get("n_trials"), int) and metrics_file["n_trials"] != len(trials):
        report.notice(
            0, f"metrics.json counts {metrics_file['n_trials']} trials, the folder has {len(trials)}"
        )
