"""What has to be said beside a file of conversations."""

from __future__ import annotations

from data.importers import transactions
from data.studies import Study
from pages.widgets import reader_session
from pages.widgets.importing.new_study import ask_new_study
from pages.widgets.importing.same_person import ask_same_person
from pages.widgets.importing.work import Work, actor_of


def ask_about_conversations(study: Study | None) -> Work:
    key, new = (study.key, None) if study else ask_new_study()
    same_person = ask_same_person("fact")
    return lambda path, dry: transactions.import_conversations(
        reader_session.store(), key, path, actor_of(study), dry, new, same_person
    )
