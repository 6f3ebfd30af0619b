"""What has to be said beside what metrics are computed from, and beside runs in numbers."""

from __future__ import annotations

from data.importers import transactions
from data.references import Kind
from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.importing.work import Work, actor_of


def ask_about_references(study: Study, kind: Kind) -> Work:
    untrusted_text.paragraph(
        f"The numbers are then computed in a terminal: second-reader score {study.key}", small=True
    )
    return lambda path, dry: transactions.import_references(
        reader_session.store(), study.key, kind, path, actor_of(study), dry
    )


def ask_about_runs(study: Study) -> Work:
    return lambda path, dry: transactions.import_run_table(
        reader_session.store(), study.key, path, actor_of(study), dry
    )
