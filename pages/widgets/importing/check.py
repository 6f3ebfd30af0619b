"""The check of a file, which runs once it has all its answers, and its report. It saves nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from configs.files.yaml_files import ConfigFileError
from data.importers.report import ImportRefused, ImportReport
from data.store.errors import StoreError
from pages.widgets import untrusted_text
from pages.widgets.importing.upload import Upload
from pages.widgets.importing.work import Work
from pages.widgets.opening_line import opening_line
from pages.widgets.work_progress import WorkProgress
from reports.refusals import word_error
from words.plurals import count, inflect

CHECK, STOPPED = "import-check", "import-stopped"
MAX_REPORT_LINES = 100  # report lines on the page


@dataclass(frozen=True)
class CheckOutcome:
    """`report` is of the check or the import. None if something is missing first; `problem` says what."""

    report: ImportReport | None = None
    problem: str = ""

    @property
    def is_good(self) -> bool:
        return self.report is not None and not self.report.errors


def check_once(upload: Upload, work: Work, statement: Any) -> CheckOutcome | None:
    """Return the outcome of checking the file, computed once for the same answers; None if the person
    stopped it.
    """
    of = (upload.number, repr(statement))
    earlier: tuple[object, CheckOutcome] | None = st.session_state.get(CHECK)
    if earlier is not None and earlier[0] == of:
        return earlier[1]
    if st.session_state.get(STOPPED) == of:
        return None
    outcome = run(upload, work, dry_run=True, of=of)
    st.session_state[CHECK] = (of, outcome)
    return outcome


def forget_check() -> None:
    """Forget the outcome of the last check, and that it was stopped."""
    st.session_state.pop(STOPPED, None)
    st.session_state.pop(CHECK, None)


def run(upload: Upload, work: Work, dry_run: bool, of: object = None) -> CheckOutcome:
    """Check or import the file, and return the outcome. Both do all or nothing, also if stopped."""
    progress = WorkProgress("import", lambda: st.session_state.__setitem__(STOPPED, of))
    try:
        return CheckOutcome(work(upload.path, dry_run, progress))
    except ImportRefused as refused:
        return CheckOutcome(refused.report)
    except (StoreError, ConfigFileError) as error:
        return CheckOutcome(problem=word_error(error))
    finally:
        progress.end()


def show_lines(report: ImportReport) -> None:
    """Show what needs fixing, and notices behind a line that opens."""
    problems = sorted(report.problems, key=lambda problem: problem.line)
    errors = [problem for problem in problems if problem.fatal]
    notices = [problem for problem in problems if not problem.fatal]
    if errors:
        untrusted_text.heading(f"{count(report.errors, 'line needs', 'lines need')} fixing", 3)
        untrusted_text.paragraph(
            f"Fix {inflect(report.errors, 'it', 'them')} in the file and drop it again. Nothing was "
            "imported.",
            small=True,
        )
        _table("What to fix", errors)
        _whole_list(report)
    if notices and (line := opening_line(_noticed(report), "import-notices", at_once=len(notices) < 3)).open:
        with line:
            _table("Notice", notices)
            if not errors:
                _whole_list(report)


def _noticed(report: ImportReport) -> str:
    cells = (
        (f"{count(report.bad_cells, 'cell has', 'cells have')} no valid label. ") if report.bad_cells else ""
    )
    return f"{cells}{count(report.notices, 'thing', 'things')} to note"


def _table(caption: str, problems: list[Any]) -> None:
    untrusted_text.window(
        caption,
        ["Line", "Problem"],
        [
            [
                f"{problem.line:,}" if problem.line else "",
                problem.describe(),
            ]
            for problem in problems[:MAX_REPORT_LINES]
        ],
        numeric=(0,),
    )


def _whole_list(report: ImportReport) -> None:
    lines = report.lines()
    if len(lines) <= MAX_REPORT_LINES:
        return
    untrusted_text.paragraph(
        f"... and {len(lines) - MAX_REPORT_LINES:,} more lines. The text file has them all.", small=True
    )
    st.download_button(
        "Download all lines",
        "\n".join(lines),
        file_name="import.txt",
        mime="text/plain",
        key="import-lines",
        on_click="ignore",
    )
