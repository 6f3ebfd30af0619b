"""Small spreadsheets with example rows to fill in: one small study, which the proposed mappings read as
it is meant.
"""

from __future__ import annotations

from io import BytesIO

from data.importers.mapping.meanings import RubricWords
from scoring.instruments import Criterion, Instrument, Taxonomy

CONVERSATION, RATERS, JUDGE = "Sleep-007", ("Ann", "Ben"), "judge-1"
ASKED, ANSWERED = "I have not slept well for weeks.", "That is hard. What happens when you lie awake?"
DECLARED_STRATEGIES = 2  # strategies in the example reply, where a reply declares them
Rows = list[list[str | int]]


def conversations_template(instrument: Instrument, taxonomy: Taxonomy | None) -> bytes:
    """Return a workbook with one row per message."""
    plan = "/".join(each.id for each in _criteria(instrument, taxonomy)) if instrument.criteria_from else ""
    return _workbook(
        [
            ["Conversation", "Speaker", "Message"],
            [CONVERSATION, "User", ASKED],
            [CONVERSATION, "Assistant", f"<plan>{plan}</plan>\n{ANSWERED}" if plan else ANSWERED],
        ]
    )


def people_template(instrument: Instrument, taxonomy: Taxonomy | None) -> bytes:
    """Return a workbook with one row per rater and conversation, or reply, and a column per criterion."""
    criteria, rubric = _criteria(instrument, taxonomy), RubricWords.of(instrument, taxonomy)
    return _workbook(
        [
            [*_about(rubric, "Conversation", "Turn"), "Rater", *(_name(each, rubric) for each in criteria)],
            *(
                [
                    *_about(rubric, CONVERSATION, 1),
                    rater,
                    *(_label(each, instrument, place) for each in criteria),
                ]
                for place, rater in enumerate(RATERS)
            ),
        ]
    )


def judge_template(instrument: Instrument, taxonomy: Taxonomy | None) -> bytes:
    """Return a workbook with one row per label of a judge."""
    criteria, rubric = _criteria(instrument, taxonomy), RubricWords.of(instrument, taxonomy)
    return _workbook(
        [
            [*_about(rubric, "Conversation", "Turn"), "Judge", "Criterion", "Label", "Reasoning"],
            *(
                [
                    *_about(rubric, CONVERSATION, 1),
                    JUDGE,
                    _name(criterion, rubric),
                    _label(criterion, instrument, place),
                    "Why the judge says so",
                ]
                for place, criterion in enumerate(criteria[:2])
            ),
        ]
    )


def _criteria(instrument: Instrument, taxonomy: Taxonomy | None) -> list[Criterion]:
    """Return the criteria that the example conversation is rated on."""
    criteria = list(RubricWords.of(instrument, taxonomy).criteria)
    return criteria[:DECLARED_STRATEGIES] if instrument.criteria_from else criteria


def _about(rubric: RubricWords, conversation: str, turn: str | int) -> list[str | int]:
    return [conversation, turn] if rubric.rates_replies else [conversation]


def _name(criterion: Criterion, rubric: RubricWords) -> str:
    """Return the name of a criterion if it means only this criterion, otherwise its id."""
    is_plain = criterion.name[:1].isalnum() and rubric.split(criterion.name) == (criterion.id, "")
    return criterion.name if is_plain else criterion.id


def _label(criterion: Criterion, instrument: Instrument, place: int) -> str:
    """Return a label: another one in each row, or "not applicable" if one turn is too short."""
    levels = instrument.scale_of(criterion).levels
    return instrument.forced_not_applicable(criterion, 1) or levels[min(place, len(levels) - 1)].id


def _workbook(rows: Rows) -> bytes:
    from openpyxl import Workbook

    book, file = Workbook(), BytesIO()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(file)
    return file.getvalue()
