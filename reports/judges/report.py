"""The judges report: every judge's card, the pair that the Judges page begins with, and all of them together,
with every row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data.record import judgements
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Paragraph, Report, Section
from reports.judges import all_judges, judge_pair
from reports.judges.identity_table import numbered_title
from reports.judges.judge_card import JudgeCard, judge_card
from reports.judges.judge_rows import gather_judge_rows, headline, judges_evidence
from reports.kinds import ReportChoices
from reports.render.files import report_files
from reports.study_settings import study_settings
from reports.unit_ids import name_units

NO_JUDGES = (
    "No judge has labelled anything in this study yet. Start a run on the Runs page, or import a judge's "
    "labels."
)


def judges_report(connection: Connection, study: Study) -> Report:
    """Return the report on all judges of a study; for somebody who may learn which model wrote a reply."""
    judges = judgements.judges(connection, study.id)
    cards = [judge_card(connection, study, judge, names_models=True) for judge in judges]
    rows = gather_judge_rows(connection, study, judges)
    sections = [
        Section("answer", "In one line", (Paragraph(headline(rows), "strong"), judges_evidence(rows)))
    ]
    sections += [section for card in cards for section in _card_sections(card)]
    if not judges:
        sections = [Section("nothing", "Nothing yet", (Paragraph(NO_JUDGES),))]
    return Report(
        f"Judges: {study.title}",
        (study.provenance,) if study.provenance else (),
        tuple(card.caution for card in cards if card.caution),
        (*sections, *_comparisons(connection, study, judges)),
        {**study_settings(study), "judges": ", ".join(map(numbered_title, judges)) or "none"},
        study.noun,
    )


def write_files(connection: Connection, study: Study, _choices: ReportChoices) -> dict[str, bytes]:
    """Return file name -> content of the report, as `report_files` does; the choices change nothing."""
    return report_files(name_units(connection, study, judges_report(connection, study)))


def _card_sections(card: JudgeCard) -> Iterator[Section]:
    """A part of the card has the judge in its title: many judges stand one after the other."""
    words = tuple(Paragraph(text) for text in (card.use, card.recorded) if text)
    yield Section(card.key, card.title, (*words, *card.identity))
    for part in card.parts:
        yield Section(f"{card.key}_{part.key}", f"{card.title}: {part.title}", part.blocks)


def _comparisons(connection: Connection, study: Study, judges: Sequence[Judge]) -> Iterator[Section]:
    """Nothing for one judge."""
    if len(judges) < 2:
        return
    first, second = (judges[place] for place in judge_pair.latest_pair(judges))
    names = Paragraph(f"From {numbered_title(first)} to {numbered_title(second)}.")
    blocks = judge_pair.compare_pair(connection, study, first, second)
    yield Section("pair", judge_pair.TITLE, (names, *blocks))
    together = tuple(all_judges.compare_all(connection, study, judges))
    if together:
        yield Section("all", all_judges.TITLE, together)
