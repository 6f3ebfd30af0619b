"""The form of a new study for the file: the title first, rare settings behind a line that opens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import streamlit as st

from configs.files.yaml_files import ConfigFileError, read_model
from configs.settings import Settings
from data.importers.new_study import NewStudy
from data.record.rater_names import split_names
from data.record.studies import KEY, Study, StudySpec, make_key
from scoring.instruments import Instrument, Taxonomy

DATA_CLASS = {
    "phi": "health data, or unknown",
    "deidentified": "de-identified",
    "synthetic": "synthetic: no real person",
}
REVIEW = {"blind": "blind first", "open": "open review: the judge's labels are visible from the start"}
REVEAL = {"after_batch": "after every few", "after_unit": "after each one", "never": "never"}


def ask_new_study(all_studies: Sequence[Study], file_name: str) -> tuple[str, NewStudy]:
    """Ask for the new study and return its key and the study. Its title is the file's until the person
    changes it.
    """
    settings = Settings.read()
    instruments, taxonomies = (
        _titles(settings.instruments, Instrument),
        _titles(settings.taxonomies, Taxonomy),
    )
    proposed = (
        " ".join(file_name.rpartition(".")[0].replace("_", " ").replace("-", " ").split()) or "New study"
    )
    columns = st.columns([4, 5, 4])
    title = columns[0].text_input(
        "Title of the new study", placeholder=proposed, max_chars=120, key="import-title"
    )
    instrument = columns[1].selectbox(
        "What is rated",
        list(instruments),
        format_func=instruments.__getitem__,
        key="import-instrument",
        help="The instrument: criteria and their labels. To use your own, put its file into the "
        "folder of instruments.",
    )
    data_class = columns[2].selectbox(
        "Kind of data", list(DATA_CLASS), format_func=DATA_CLASS.__getitem__, key="import-class"
    )
    named = title.strip() or proposed[:1].upper() + proposed[1:]
    key_of_title = make_key(named, {study.key for study in all_studies})
    with st.expander(
        "Who rates, when the judge's labels are shown, and more", key="import-study", type="compact"
    ):
        raters = st.text_input(
            "Raters, separated by commas or semicolons", max_chars=2000, key="import-raters"
        )
        left, right = st.columns(2)
        review = left.selectbox("Review", list(REVIEW), format_func=REVIEW.__getitem__, key="import-review")
        reveal = right.selectbox(
            "The judge's labels are shown", list(REVEAL), format_func=REVEAL.__getitem__, key="import-reveal"
        )
        typed = left.text_input(
            "Key, used in addresses", placeholder=key_of_title, max_chars=60, key="import-key"
        )
        taxonomy = right.selectbox(
            "Strategies that a reply may declare",
            [None, *taxonomies],
            format_func=lambda name: taxonomies[name] if name else "none",
            key="import-taxonomy",
        )
    key = typed if KEY.fullmatch(typed) else make_key(typed) if typed.strip() else key_of_title
    spec = StudySpec(key, named, 0, data_class=data_class, review=review, reveal=reveal)
    return key, NewStudy(
        spec, instrument, taxonomy, split_names(raters), settings.instruments, settings.taxonomies
    )


def _titles(folder: Path, model: type[Instrument] | type[Taxonomy]) -> dict[str, str]:
    """Return the title by file. An unreadable file has its name instead, and files with the same title have
    both.
    """
    titles = {
        path.stem: _title(path, path.stat().st_mtime_ns, model) for path in sorted(folder.glob("*.yaml"))
    }
    often = Counter(titles.values())
    return {name: title if often[title] == 1 else f"{title} ({name})" for name, title in titles.items()}


@lru_cache(maxsize=128)
def _title(path: Path, _changed: int, model: type[Instrument] | type[Taxonomy]) -> str:
    try:
        return read_model(path, model)[0].title
    except ConfigFileError:
        return path.stem
