"""What has to be said beside a wide table: a row an item, a column for everybody and each criterion."""

from __future__ import annotations

import streamlit as st

from data.importers import transactions
from data.importers.wide_tables import WideTableOptions
from data.rater_names import split_names
from data.studies import Study
from pages.widgets import reader_session
from pages.widgets.importing.label_forms import EXPOSURE
from pages.widgets.importing.new_study import ask_new_study
from pages.widgets.importing.same_person import ask_same_person
from pages.widgets.importing.work import Work, actor_of


def ask_about_table(study: Study | None) -> Work:
    key, new = (study.key, None) if study else ask_new_study()
    left, right = st.columns(2)
    with left:
        people = st.text_input(
            "People, as the columns name them, separated by commas",
            placeholder="human",
            max_chars=2000,
            key="import-people",
        )
        exposure = st.selectbox(
            "What had they seen of the judges?",
            list(EXPOSURE),
            index=None,
            placeholder="choose",
            format_func=EXPOSURE.__getitem__,
            key="import-exposure",
        )
    with right:
        judges = st.text_input(
            "Judges, as the columns name them",
            placeholder="gpt-4o, o4-mini",
            max_chars=2000,
            key="import-judges",
        )
        source = st.text_input(
            "How do you know?",
            placeholder="a protocol, a person, a publication",
            max_chars=300,
            key="import-source",
        )
    keys = st.text_input(
        "Columns that name the item",
        placeholder="empty: all that hold no labels",
        max_chars=2000,
        key="import-keys",
    )
    rater_column = st.text_input(
        "The column that names the person",
        placeholder="empty: a row an item; a column: a row for each person",
        max_chars=120,
        key="import-table-rater",
    )
    wide = WideTableOptions(
        split_names(people),
        split_names(judges),
        split_names(keys),
        exposure or "",
        source.strip(),
        ask_same_person("column"),
        rater_column.strip(),
    )
    return lambda path, dry: transactions.import_wide_table(
        reader_session.store(), key, path, actor_of(study), wide, dry, new
    )
