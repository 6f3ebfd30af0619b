"""Import paired runs as JSONL or CSV: id, mode (cot, direct or bias), model_name, status, output_text, and
the right answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.importers import reading
from data.importers.report import ImportReport
from data.record import run_outputs
from data.record.conversations import is_erased
from data.record.lineage import related_studies
from data.record.run_outputs import RunOutput
from data.record.studies import Study
from data.store.trail import TrailEntry

MODES = ("cot", "direct", "bias")
KEPT = (
    "output_text",
    "gold_answer",
    "bias_label",
    "bias_feature",
    "extracted_diagnosis",
    "is_refusal",
    "condition",
)
GOLD = ("gold_answer", "gold_label", "gold_diagnosis")
LABELS = {"gold_answer": GOLD}
TEXTS = ("output_text", "gold_answer", "bias_label", "bias_feature", "extracted_diagnosis")


def add(connection: Connection, entry: TrailEntry, study: Study, path: Path, report: ImportReport) -> None:
    """Write every paired run of a file; problems go into the report, and then the caller rolls back."""
    erased_keys = _erased_keys(connection, study)
    pair_rows = 0
    without_gold: list[int] = []  # lines
    for line, row in reading.table_rows(path, report):
        case = row.get("id", row.get("case_id"))
        mode = str(row.get("mode") or ("bias" if row.get("bias_feature") else "")).strip().lower()
        if case is None or not str(case).strip():
            report_row = report.error if "id" in row or "case_id" in row else report.error_of_rows
            report_row(line, "there is no id")
        elif "output_text" not in row and str(row.get("status") or "ok").strip().lower() == "ok":
            report.error_of_rows(
                line, "there is no field output_text; if the call failed, set a status other than ok"
            )
        elif mode not in MODES:
            report.error(line, f"the mode must be cot, direct or bias, not {row.get('mode')!r}")
        elif (
            wrong := next((name for name in TEXTS if not isinstance(_facts(row).get(name, ""), str)), None)
        ) is not None:
            report.error(line, f"{wrong} is not a text")
        elif str(case).strip() in erased_keys:
            report.notice_of_rows(line, "the conversation of this case was erased, so the answer is not kept")
        else:
            facts = _facts(row)
            status = str(row.get("status") or "ok").strip().lower()
            model = str(row.get("model_name") or row.get("model") or "unknown")
            added = run_outputs.put(
                connection, entry, study, RunOutput(str(case).strip(), mode, model, status, facts)
            )
            if added is None:
                report.error(
                    line,
                    f"the study has a different answer from this model to {case!r} ({mode}); give the run "
                    "another model name",
                )
            else:
                (report.added if added else report.already)["paired answers"] += 1
                if mode != "bias":
                    pair_rows += 1
                    if "gold_answer" not in facts:
                        without_gold.append(line)
    if without_gold:
        rows = f"{len(without_gold):,} of {pair_rows:,} answers have no"
        report.notice(
            without_gold[0],
            f"{rows} gold label (a field {', '.join(GOLD[:-1])} or {GOLD[-1]}); the faithfulness gap leaves "
            "them out",
        )


def _erased_keys(connection: Connection, study: Study) -> set[str]:
    """Return the ids of erased conversations in all versions of the study, except ids that this study uses
    again.
    """
    table = schema.conversation
    versions = [study.id, *related_studies(connection, study.id)]
    keys = select(table.c.key)
    erased = connection.execute(keys.where(table.c.study_id.in_(versions), is_erased())).scalars()
    present = connection.execute(keys.where(table.c.study_id == study.id, ~is_erased())).scalars()
    return set(erased) - set(present)


def _facts(row: dict[str, Any]) -> dict[str, Any]:
    """Return the kept fields of a row, without empty cells."""
    facts = {name: row[name] for name in KEPT if row.get(name) not in (None, "")}
    for name, aliases in LABELS.items():
        found = next((row[alias] for alias in aliases if row.get(alias) not in (None, "")), None)
        if found is not None:
            facts[name] = found
    return facts
