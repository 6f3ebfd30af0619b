"""Import: conversations, judgements and ratings from files, checked first, all or nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import streamlit as st

from configs.settings import Settings
from data import actors, studies
from data.errors import StoreError
from data.importers import study_folder, transactions
from data.importers.persons import NOBODY
from data.importers.report import ImportRefused, Report
from data.importers.turns import COUNTS, TurnCount, turn_count
from data.importers.wide_tables import Wide
from data.judgements import Identity
from data.private_files import open_private
from data.references import Kind
from data.studies import Study, StudySpec
from pages.widgets import foreign, place
from pages.widgets.ask_reader import ask_reader
from pages.widgets.guard import whole_study_permitted
from scoring.yaml_files import ConfigFileError

KINDS = {
    "conversations": "Conversations",
    "judgements": "A judge's labels",
    "ratings": "People's labels",
    "table": "A wide table of labels",
    "gold_steps": "Gold steps",
    "target_plan": "Plans of care",
    "critical_entities": "Critical entities",
    "runs": "Runs in numbers",
}
TYPES = {"conversations": ["json", "jsonl"], "table": ["csv", "tsv", "txt"]}
NEW_TOO = ("conversations", "table")  # what a new study can be made with
SHOWN = 100  # lines of a report on the page
DATA_CLASS = {
    "phi": "personal health information, or not known",
    "deidentified": "de-identified",
    "synthetic": "synthetic: no real person",
}
EXPOSURE = {
    "blind": "blind: they had not seen the judge",
    "judge_visible": "they saw the judge's label",
    "unknown": "not known",
}
SAME_PERSON = {
    "": "not said; the check asks where the file looks like it",
    "no": "no, each is of another person",
    "named": "yes, the file names the person",
}
REVIEW = {"blind": "blind first", "open": "open review: the judge is visible from the start"}
REVEAL = {"after_batch": "after each batch", "after_unit": "after each unit", "never": "never"}
FORMS = {
    "conversations": 'JSONL, one conversation a line (or one array): {"id": "c1", "messages": [{"role": '
    '"user", "content": "..."}, ...]}, '
    'or "turns": [{"user": "...", "assistant": "..."}], or pairs.',
    "judgements": "CSV or JSONL with conversation_id, criterion, label, reasoning (turn where a "
    "conversation has several replies to rate); "
    "judgments.json and assessment JSON are read as well. A failed call has a status instead of a label.",
    "ratings": "CSV or JSONL with conversation_id, rater, criterion, label, note.",
    "table": "CSV with a row an item and a column for everybody and each criterion, such as human_Empathy "
    "and gpt-4o_Empathy; the other columns "
    "name the item. A new study of such a table has no words to read. Cells that hold no label are listed, "
    "and the others are imported.",
    "gold_steps": "JSONL with conversation_id and gold_steps (a list), or CSV with conversation_id and "
    "step, one row a step.",
    "target_plan": "target_plans.json, or CSV with plan and conversation_id or condition; a plan with "
    "neither is for the whole study.",
    "critical_entities": "JSONL with conversation_id and critical_entities (a list), or CSV with "
    "conversation_id and entity.",
    "runs": "CSV with a row a run: run_id, model, vignette, temperature, slice or n_messages, and numbers "
    "such as jaccard_all, bertscore_f1, "
    "alignment_mean (experiment_runs.csv, slice_depth_runs.csv); an empty cell is a number that is not "
    "there. "
    "Or average curves: drift_metrics.json with model and recall_curve.",
}


def render() -> None:
    foreign.heading("Import", 1)
    st.text("A file is checked line by line. It is imported whole or not at all.")
    with place.store().reading() as connection:
        known = studies.listing(connection)
    kind = st.segmented_control(
        "What is in the file",
        list(KINDS),
        format_func=KINDS.__getitem__,
        default="conversations",
        required=True,
        key="import-kind",
    )
    form, outcome = st.columns([3, 2], gap="large")
    with form:
        foreign.paragraph(FORMS[kind], small=True)
        study = _into(known, kind in NEW_TOO)
        if not (kind in NEW_TOO if study is None else _permitted(study)):
            return
        form_of: dict[str, Callable[[Study | None], Work]] = {
            "conversations": _conversations,
            "table": _table,
        }
        form_of_known: dict[str, Callable[[Study], Work]] = {
            "judgements": _judgements,
            "ratings": _ratings,
            "runs": _runs,
        }
        if kind in form_of:
            work = form_of[kind](study)
        elif study is not None:
            work = (
                form_of_known[kind](study) if kind in form_of_known else _references(study, cast(Kind, kind))
            )
        file = st.file_uploader(
            "File", key=f"import-file-{kind}", type=TYPES.get(kind, ["json", "jsonl", "csv", "tsv", "txt"])
        )
        with st.container(horizontal=True):
            check = st.button("Check only", disabled=file is None, key="import-check")
            bring = st.button("Import", type="primary", disabled=file is None, key="import-go")
    with outcome:
        foreign.heading("What came of it", 3)
        if file is not None and (check or bring):
            _run(file, work, dry_run=check)
        else:
            foreign.paragraph("Choose a file, then check it. Nothing is kept by a check.", small=True)


Work = Callable[[Path, bool], Report]


def _into(known: list[Study], new_too: bool) -> Study | None:
    """The study to import into; None where it is to be made, or not chosen yet."""
    keys = [study.key for study in known]
    here = place.study()
    if new_too:
        chosen = st.selectbox(
            "Into",
            [None, *keys],
            format_func=lambda key: _title(known, key) if key else "a new study",
            key="import-into",
        )
    else:
        chosen = st.selectbox(
            "Into",
            keys,
            index=keys.index(here.key) if here else None,
            placeholder="choose a study",
            format_func=lambda key: _title(known, key),
            key="import-into-known",
        )
    return next((study for study in known if study.key == chosen), None)


def _title(known: list[Study], key: str) -> str:
    return next(study.title for study in known if study.key == key)


def _permitted(study: Study) -> bool:
    """Whether whoever sits here may import into a study: what is there already is answered by a check, so it
    is nobody who still rates it blind.
    """
    place.turn_to(study)
    reader = place.reader(study)
    if reader is None:
        ask_reader(study, rating=False)
        return False
    name = reader.rater.name if reader.rater else "somebody who does not rate in it"
    st.button(
        f"Imported by {foreign.plain(name)}: choose another name",
        key="import-leave",
        type="tertiary",
        on_click=place.forget_reader,
        args=(study,),
    )
    if reader.rater is None:
        return True
    permitted = whole_study_permitted(
        study,
        reader.rater,
        "Until then nothing is imported under this name, because a check already tells what is there. "
        "A study lead who does not rate can.",
    )
    if not permitted and study.reveal == "never":
        foreign.paragraph(
            "Nothing is imported under this name, because a check already tells what is there. A study lead "
            "who does not rate can."
        )
    return permitted


def _conversations(study: Study | None) -> Work:
    key, new = (study.key, None) if study else _new_study()
    same_person = _same_person("fact")
    return lambda path, dry: transactions.import_conversations(
        place.store(), key, path, _actor(study), dry, new, same_person
    )


def _actor(study: Study | None) -> str:
    return place.actor(study) if study else actors.LEAD


def _same_person(column: str) -> str:
    """The answer to whether one person stands behind several conversations: the name of a fact, "none", or
    empty where nobody said.
    """
    answer = st.selectbox(
        "Are several conversations of the same person?",
        list(SAME_PERSON),
        format_func=SAME_PERSON.__getitem__,
        key="import-same-person",
        help="Conversations of one person are alike. Intervals then leave out one person at a time, not one "
        "conversation.",
    )
    if answer != "named":
        return NOBODY if answer == "no" else ""
    return " ".join(
        st.text_input(
            f"The {column} that names the person",
            placeholder="client_id",
            max_chars=120,
            key="import-person-fact",
        ).split()
    )


def _new_study() -> tuple[str, study_folder.NewStudy]:
    """The key of a study that is to be made, and the study."""
    settings = Settings.read()
    left, right = st.columns(2)
    with left:
        key = st.text_input("Key", placeholder="short, such as pilot_2026", max_chars=60, key="import-key")
        title = st.text_input("Title", max_chars=120, key="import-title")
        instrument = st.selectbox(
            "Instrument", sorted(p.stem for p in settings.instruments.glob("*.yaml")), key="import-instrument"
        )
        taxonomy = st.selectbox(
            "Taxonomy of declared plans",
            [None, *sorted(p.stem for p in settings.taxonomies.glob("*.yaml"))],
            format_func=lambda x: x or "none",
            key="import-taxonomy",
        )
    with right:
        data_class = st.selectbox(
            "What kind of data", list(DATA_CLASS), format_func=DATA_CLASS.__getitem__, key="import-class"
        )
        review = st.selectbox("Review", list(REVIEW), format_func=REVIEW.__getitem__, key="import-review")
        reveal = st.selectbox(
            "The judge is shown", list(REVEAL), format_func=REVEAL.__getitem__, key="import-reveal"
        )
        raters = st.text_input("Raters, separated by commas", max_chars=2000, key="import-raters")
    names_given = _listed(raters)
    spec = StudySpec(key, title or key, 0, data_class=data_class, review=review, reveal=reveal)
    return key, study_folder.NewStudy(
        spec, instrument, taxonomy, names_given, settings.instruments, settings.taxonomies
    )


def _judgements(study: Study) -> Work:
    left, right = st.columns(2)
    with left:
        name = st.text_input("Name of the judge", max_chars=80, key="import-judge")
        model = st.text_input("Model, as exactly as you know", max_chars=120, key="import-model")
    with right:
        provider = st.text_input("Provider", max_chars=80, key="import-provider")
        prompt = st.text_input("Version of the prompt", max_chars=120, key="import-prompt")

    turns = _turn_count(study)

    def work(path: Path, dry: bool) -> Report:
        if not name.strip():
            raise StoreError("Name the judge: labels of different judges must not be mixed.")
        identity = Identity(name.strip(), provider or "unknown", model or "unknown", prompt or "unknown")
        return transactions.import_judgements(
            place.store(), study.key, path, _actor(study), identity, dry_run=dry, turns=turns
        )

    return work


def _ratings(study: Study) -> Work:
    exposure = st.selectbox(
        "What had these raters seen of the judge?",
        list(EXPOSURE),
        index=None,
        placeholder="choose",
        format_func=EXPOSURE.__getitem__,
        key="import-exposure",
    )
    source = st.text_input(
        "How do you know?",
        placeholder="a protocol, a person, a publication",
        max_chars=300,
        key="import-source",
    )
    rater_column = st.text_input(
        "The column that names the person", placeholder="rater", max_chars=120, key="import-rater-column"
    )
    same_raters = st.multiselect(
        "Names of the file who are raters here",
        _persons(study),
        key="import-same-raters",
        help="Labels of a file are kept apart from what somebody rates here, also under the same name. Name "
        "those of whom you know "
        "that they are the same person: then they count as one.",
    )
    turns = _turn_count(study)

    def work(path: Path, dry: bool) -> Report:
        if exposure is None or not source.strip():
            raise StoreError(
                "Say what these raters had seen of the judge, and how you know. "
                '"Not known" is an answer; such ratings never enter the headline.'
            )
        return transactions.import_ratings(
            place.store(),
            study.key,
            path,
            _actor(study),
            exposure,
            source.strip(),
            dry,
            turns,
            rater_column.strip(),
            same_raters,
        )

    return work


def _persons(study: Study) -> list[str]:
    with place.store().reading() as connection:
        return [rater.name for rater in studies.raters(connection, study.id) if rater.kind == "person"]


def _turn_count(study: Study) -> TurnCount | None:
    """What the turn numbers of the file count; nobody is asked where whole conversations are rated."""
    if study.instrument.unit == "conversation":
        return None
    return turn_count(
        st.selectbox(
            "The turn numbers count",
            [None, *map(str, COUNTS)],
            format_func=lambda words: words or "not said; the check asks where it cannot be told",
            key="import-turns",
            help="A message is what one of the two said once; a turn is the user's message and the reply.",
        )
    )


def _table(study: Study | None) -> Work:
    key, new = (study.key, None) if study else _new_study()
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
    wide = Wide(
        _listed(people),
        _listed(judges),
        _listed(keys),
        exposure or "",
        source.strip(),
        _same_person("column"),
        rater_column.strip(),
    )
    return lambda path, dry: transactions.import_wide_table(
        place.store(), key, path, _actor(study), wide, dry, new
    )


def _listed(text: str) -> tuple[str, ...]:
    """Names separated by commas, each once."""
    return tuple(dict.fromkeys(" ".join(name.split()) for name in text.split(",") if name.strip()))


def _references(study: Study, kind: Kind) -> Work:
    foreign.paragraph(
        f"The numbers are then computed in a terminal: second-reader score {study.key}", small=True
    )
    return lambda path, dry: transactions.import_references(
        place.store(), study.key, kind, path, _actor(study), dry
    )


def _runs(study: Study) -> Work:
    return lambda path, dry: transactions.import_run_table(place.store(), study.key, path, _actor(study), dry)


def _run(file: Any, work: Work, dry_run: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(file.name).name
        with open_private(path, "wb") as target:
            while block := file.read(1 << 20):
                target.write(block)
        file.seek(0)
        try:
            report = work(path, dry_run)
        except ImportRefused as refused:
            st.error(foreign.plain(refused.report.summary()))
            _list(refused.report)
            return
        except (StoreError, ConfigFileError) as error:
            st.error(foreign.plain(str(error)))
            return
    st.success(foreign.plain(report.summary()))
    _list(report)


def _list(report: Report) -> None:
    lines = report.lines()
    for line in lines[:SHOWN]:
        foreign.paragraph(line, small=True)
    if len(lines) > SHOWN:
        foreign.paragraph(f"... and {len(lines) - SHOWN:,} more lines, all of them in the list.", small=True)
        st.download_button(
            "All lines as a text file",
            "\n".join(lines),
            file_name="import.txt",
            mime="text/plain",
            key="import-lines",
            on_click="ignore",
        )


if __name__ == "__main__":
    st.switch_page("app.py", query_params={**st.query_params.to_dict(), "page": "importing"})
