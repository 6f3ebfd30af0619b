"""What is said of raters over time, of a study that was rated through the real store."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from reports.document import Block, Paragraph, Table
from reports.drift.rater_tables import (
    level_panels,
    levels_table,
    minute_panels,
    minutes_table,
    rater_table,
    rounds_table,
    same_panels,
    same_table,
)
from reports.drift.rater_words import moved, summary
from reports.drift.raters import RaterDrift, gather_raters, of_everyone, of_reader
from scoring.bad_input import BadInput
from tests.studies.made_raters import DRIFTS, NAMES, twelve_weeks
from tests.studies.planned import plan_for
from tests.studies.small_study import Small

pytestmark = pytest.mark.slow


def everyone(small: Small, named: bool = True) -> RaterDrift:
    with small.store.reading() as connection:
        source = gather_raters(connection, small.study, None)
    return of_everyone(source, source.length, named)


def own(small: Small, number: int) -> RaterDrift:
    with small.store.reading() as connection:
        source = gather_raters(connection, small.study, small.raters[number])
    return of_reader(source, source.length, small.raters[number])


def every_block(drift: RaterDrift) -> list[Block]:
    table = rounds_table(drift)
    return [
        *summary(drift),
        rater_table(drift),
        levels_table(drift),
        same_table(drift),
        minutes_table(drift),
        *([table] if table else []),
    ]


def text(drift: RaterDrift) -> str:
    """Everything that is said or drawn."""
    blocks = "\n".join(
        block.text if isinstance(block, Paragraph) else str(block) for block in every_block(drift)
    )
    return blocks + "\n".join(
        str(panels) for panels in (level_panels(drift), same_panels(drift), minute_panels(drift))
    )


def rows(table: Table) -> dict[str, tuple[str, ...]]:
    return {str(row[0]): tuple(str(cell) for cell in row[1:]) for row in table.rows}


def test_who_drifts_is_to_be_calibrated_again_and_who_is_steady_is_not(
    copy_study: Callable[..., Small],
) -> None:
    drift = everyone(copy_study(twelve_weeks))
    sentences = [
        block.text for block in summary(drift) if isinstance(block, Paragraph) and block.tone == "strong"
    ]
    drifts = next(
        sentence
        for sentence in sentences
        if sentence.startswith(f"Recalibrate {DRIFTS}: drifted to lower levels, compared with the others: ")
    )
    assert "in the second (p below 0.001)" in drifts
    unsteady = next(sentence for sentence in sentences if sentence.startswith("Recalibrate Cleo Marsh: "))
    assert "drifted" not in unsteady and "hidden repeats (plausible" in unsteady
    assert len(sentences) == 2
    assert moved(drift) == f"{DRIFTS} drifted to lower levels, compared with the others"
    cells_of = rows(rater_table(drift))
    assert cells_of[DRIFTS][-2:] == (
        "drifted to lower levels, compared with the others",
        "falls (p below 0.001 after Holm)",
    )
    assert {cells_of[name][-2] for name in NAMES if name != DRIFTS} == {"no clear drift"}


def test_a_round_below_the_threshold_is_a_reason_and_its_units_are_practice(
    copy_study: Callable[..., Small],
) -> None:
    drift = everyone(copy_study(twelve_weeks, calibrated=4))
    last_round = next(
        why.last_round for rater, why in drift.reasons.items() if drift.names[rater] == "Cleo Marsh"
    )
    assert last_round is not None and last_round.again and last_round.title == "Spring round"
    assert "after the discussion of \u201cSpring round\u201d." in text(drift) and "required: 80%" in text(
        drift
    )
    table = rounds_table(drift)
    assert table is not None and "Cleo Marsh" in str(table.rows[0][-1])
    assert {row[0] for row in rows(rater_table(drift)).values()} == {"44"}


def test_every_number_of_a_chart_stands_in_its_table(copy_study: Callable[..., Small]) -> None:
    drift = everyone(copy_study(twelve_weeks))
    levels, same, minutes = level_panels(drift), same_panels(drift), minute_panels(drift)
    assert levels and same and minutes
    for panels in (levels, same, minutes):
        assert panels.x == drift.periods.names and all(
            len(panel.points) == len(panels.x) for panel in panels.panels
        )
        assert [panel.name.split(",")[0] for panel in panels.panels] == [
            drift.names[rater] for rater in drift.names
        ]
    assert len(levels_table(drift).rows) == 4 * len(drift.periods.first)
    assert sum(point.n for panel in levels.panels for point in panel.points) == 4 * 48 * 2
    assert any(point.value is None for panel in same.panels for point in panel.points), (
        "a week without a repeat is a gap"
    )
    medians = [
        rating_minutes.median
        for rating_minutes in drift.minutes.values()
        if rating_minutes.median is not None
    ]
    assert len(medians) == 4 and all(3 <= median <= 7 for median in medians)
    assert "NaN" not in text(drift) and "nan" not in text(drift).lower().replace("finance", "")


def test_codes_stand_for_names_until_a_lead_asks(copy_study: Callable[..., Small]) -> None:
    small = copy_study(twelve_weeks)
    report_text = text(everyone(small, named=False))
    assert not any(part in report_text for name in NAMES for part in name.split())
    assert all(name in text(everyone(small)) for name in NAMES)


def test_a_rater_sees_only_their_own(copy_study: Callable[..., Small]) -> None:
    small = copy_study(twelve_weeks)
    codes = everyone(small, named=False).names
    for number in (1, 2):
        drift = own(small, number)
        report_text = text(drift)
        assert not any(part in report_text for name in NAMES for part in name.split()) and not any(
            code in report_text for code in codes.values()
        )
        assert [*drift.names.values()] == ["You"] and {row[0] for row in levels_table(drift).rows} == {"You"}
        assert "Another calibration is suggested: you " in report_text and "Recalibrate" not in report_text
    assert "drifted to lower levels" in text(own(small, 1)) and "drifted to lower levels" not in text(
        own(small, 2)
    )
    assert "Nothing suggests another calibration for you." in text(own(small, 0))
    plain = own(small, 0)
    assert plain.levels[small.raters[0]] != everyone(small).levels[small.raters[0]], (
        "their own stand beside all others, so that nobody is singled out"
    )


def test_a_rater_reads_of_a_round_how_they_agreed_with_the_others(copy_study: Callable[..., Small]) -> None:
    table = rounds_table(own(copy_study(twelve_weeks, calibrated=4), 2))
    assert (
        table is not None
        and table.header[3] == "You and the others: same label"
        and table.rows[0][2] == "after"
        and table.rows[0][5] == "below"
    )
    assert not any(name in str(table) for name in NAMES)


def test_in_a_study_of_two_a_rater_is_not_shown_the_other_one(copy_study: Callable[..., Small]) -> None:
    small = copy_study(twelve_weeks, names=NAMES[:2])
    drift = own(small, 1)
    assert level_panels(drift) is None and not drift.movements
    assert (
        "only one other rater labelled the same conversations, and a comparison would reveal their labels"
        in text(drift)
        and "drifted" not in text(drift).split("Another calibration is suggested if")[0]
    )
    lead = everyone(small)
    assert moved(lead).endswith("changed; which of them drifted can't be estimated")
    assert text(lead).count("which of the two drifted can't be estimated") == 4


def test_where_nobody_moved_that_is_what_it_says(copy_study: Callable[..., Small]) -> None:
    small = copy_study(twelve_weeks, fall=0.0, unsteady="", calibrated=4)
    assert not everyone(small).reasons and "The threshold is 80% (set in the plan of work)" in text(
        everyone(small)
    )
    assert (
        "No rater clearly drifted, and nothing suggests another calibration. 4 of 4 raters could be tested"
        in text(everyone(small))
    )


def test_the_threshold_is_that_of_the_plan(copy_study: Callable[..., Small]) -> None:
    small = copy_study(twelve_weeks, fall=0.0, calibrated=4)
    assert "required: 80%" in text(everyone(small))
    plan_for(small, each=True, raters=small.raters, repeats=0.2, recalibrate_below=0.5)
    drift = everyone(small)
    assert "required: 80%" not in text(drift) and "The threshold is 50% (set in the plan of work)" in text(
        drift
    )
    table = rounds_table(drift)
    assert (
        table is not None
        and table.rows[0][:2] == ("Spring round", "2026-03-01")
        and table.rows[0][4:6] == ("50%", "not below")
    )


def test_without_a_plan_and_with_imported_ratings_both_are_said(small: Small) -> None:
    report = ImportReport("ratings")
    with small.store.writing("tests", "import", small.study.id) as (connection, entry):
        add_ratings(
            connection,
            entry,
            small.study,
            enumerate(
                [
                    {"conversation_id": f"c{n}", "criterion": "warm", "label": "NO", "rater": "Zed"}
                    for n in (2, 3)
                ],
                start=1,
            ),
            report,
            RatingProvenance("blind", "tests"),
        )
        report.raise_if_wrong()
    small.desk().rate(2)
    drift = everyone(small)
    report_text = text(drift)
    assert [*drift.names.values()] == ["Ann"], "who was imported has no moments"
    assert (
        "the default, because the study has no plan of work" in report_text
        and "2 ratings (one rater and one conversation each) were imported, not committed here. Their change "
        "over time is not tested"
        in report_text
    )
    assert (
        "No rater can be tested for drift yet" in report_text
        and "only 1 conversation with others, and 8 are needed" in report_text
    )
    assert rounds_table(drift) is None and same_panels(drift) is None and minute_panels(drift) is None
    panels = level_panels(drift)
    assert panels and panels.y_name == "share failing, own minus the others'"
    assert "only 1 day with a value; 8 are needed" in report_text
    assert minutes_table(drift).rows[0][2] == "unknown"


def test_nobody_rated_anything(small: Small) -> None:
    drift = everyone(small)
    assert drift.source.raters == [] and level_panels(drift) is None and not rater_table(drift).rows


def test_ten_years_of_days_are_too_many(
    copy_study: Callable[..., Small], monkeypatch: pytest.MonkeyPatch
) -> None:
    drift = everyone(copy_study(twelve_weeks))
    monkeypatch.setattr("scoring.drift.periods.MAX_PERIODS", 20)
    with pytest.raises(BadInput, match="choose longer periods"):
        of_everyone(drift.source, "day", True)
