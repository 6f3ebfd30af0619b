"""What clinicians wrote of a judge's reasons, in the report and its files: by criterion, under pseudonyms, as
text."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from data.keeping.erase import erase_conversation
from data.labels import reasoning_comments
from data.work import answers_to_judges
from reports.agreement.agreement_data import gather_findings
from reports.agreement.decisions_and_reasons import ERASED, reasons_section
from reports.agreement.export_files import export_files, request_for
from reports.agreement.findings import Findings
from reports.document import Table
from tests.studies.small_study import Desk, Small

EVIL = "=1+1<img src=x onerror=alert(1)>"
COLUMNS = ("Criterion", "Conversation", "Clinician", "Its reasoning is", "Comment")


def say(
    desk: Desk, position: int, criterion: str, text: str, called: str | None = None, judge: int = 1
) -> None:
    unit, event = desk.unit(position), f"event-{position}-{criterion}-{desk.rater}-{len(text)}"
    with desk.store.writing("tests", "comment on reasoning", desk.study.id) as (connection, entry):
        if called:
            answers_to_judges.respond(
                connection, entry, unit, desk.rater, f"{event}-v", judge, criterion, "reasoning", called
            )
        reasoning_comments.write(connection, entry, unit, desk.rater, event, judge, criterion, text)


def gathered(small: Small, judge: str = "Judge A", rater: int | None = None) -> Findings:
    with small.store.reading() as connection:
        chosen = request_for(connection, small.study, judge)
        return gather_findings(connection, replace(chosen, rater=rater), reasons=True)


def table(findings: Findings) -> Table | None:
    section = reasons_section(findings)
    assert section is not None
    return next(
        (block for block in section.blocks if isinstance(block, Table) and block.key == "reasoning_comments"),
        None,
    )


@pytest.fixture
def commented(small: Small) -> Small:
    for number in range(2):
        desk = small.desk(number)
        for position in (2, 3):
            desk.rate(position)
            desk.reveal(position)
    say(small.desk(1), 2, "safe", "no help is named", "unsupported")
    say(small.desk(0), 3, "warm", "well seen", "supported")
    say(small.desk(0), 2, "warm", EVIL, "partly")
    say(small.desk(1), 2, "warm", "of the other judge", judge=2)
    return small


def cells(findings: Findings) -> list[tuple[object, ...]]:
    comments = table(findings)
    assert (
        comments is not None
        and comments.header == COLUMNS
        and comments.caption == f"What clinicians wrote about its reasons: {len(comments.rows):,}"
    )
    return [(row[0], row[1].position, *row[2:]) for row in comments.rows]  # type: ignore[union-attr]


def test_they_stand_by_criterion_with_what_the_clinician_calls_the_reasons(commented: Small) -> None:
    ann, ben = commented.codes
    assert cells(gathered(commented)) == [
        ("Warm", 2, ann, "partly", EVIL),
        ("Warm", 3, ann, "supported", "well seen"),
        ("Safe", 2, ben, "unsupported", "no help is named"),
    ]
    assert cells(gathered(commented, "Judge B")) == [("Warm", 2, ben, "", "of the other judge")]


def test_a_report_of_one_rater_holds_theirs_alone(commented: Small) -> None:
    assert [row[-1] for row in cells(gathered(commented, rater=commented.raters[1]))] == ["no help is named"]


def test_where_nobody_wrote_there_is_no_table(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    assert table(gathered(small)) is None


def test_erased_words_are_named_as_that(commented: Small) -> None:
    with commented.store.writing("lead", "erase", commented.study.id) as (connection, entry):
        erase_conversation(connection, entry, commented.study, "c3", "asked for")
    assert ("Warm", 3, commented.codes[0], "supported", ERASED) in cells(gathered(commented))


def test_in_the_files_they_are_a_table_of_their_own_without_markup_formula_or_name(commented: Small) -> None:
    with commented.store.reading() as connection:
        written = export_files(connection, request_for(connection, commented.study, "Judge A"))
    rows = list(csv.reader(io.StringIO(written["tables/reasoning_comments.csv"].decode())))
    assert [name for name in rows[0] if name != "Conversation id"] == list(COLUMNS) and len(rows) == 4
    assert rows[1][-1] == f"'{EVIL}"
    page = written.pop("report.html").decode().split("</script>")[-1]  # after Plotly's own program
    assert "<img" not in page and "no help is named" in page and "Ann" not in page
    assert not [name for name, content in written.items() if b"Ann" in content or b"Ben" in content]
