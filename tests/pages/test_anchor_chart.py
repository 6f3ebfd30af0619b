"""The chart of the rounds of the anchors says of each mark what its row of the table says."""

from __future__ import annotations

from collections.abc import Callable

from reports.drift.anchor_rounds import lines, rounds_table
from reports.figures.anchor_rounds import anchor_chart
from scoring.drift.anchor_answers import AnchorAnswer
from services.anchors import on_anchors
from tests.studies.anchored import freeze, rate_alike
from tests.studies.small_study import Small

DAY = 20_500


def answers(round_: int, day: int, wrong: int = 0) -> list[AnchorAnswer]:
    """To four labels, each asked once; of them so many otherwise than settled."""
    return [
        AnchorAnswer(unit, unit, "warm", "YES", round_, "NO" if unit <= wrong else "YES", day)
        for unit in range(1, 5)
    ]


def test_on_hover_each_mark_is_called_as_in_the_table(make_study: Callable[..., Small]) -> None:
    small = make_study()
    rate_alike(small)
    freeze(small.store, small.study)
    with small.store.reading() as connection:
        anchored = on_anchors(connection, small.study)
    judge_id = anchored.judges[0].id
    shown = lines(
        {judge_id: [*answers(0, DAY), *answers(1, DAY + 7, wrong=1), *answers(2, DAY + 14, wrong=2)]}
    )
    cells = [row[1] for row in rounds_table(anchored, shown).rows]
    assert cells == ["its label in the study", "1", "2"]
    (trace,) = anchor_chart(anchored, shown).data
    called = [text.split(", ", 1)[1].split(": ")[0] for text in trace.hovertext]
    assert called == ["its label in the study", "round 1", "round 2"]
    assert [text.split(": ")[1].split(";")[0] for text in trace.hovertext] == [
        row[4] for row in rounds_table(anchored, shown).rows
    ]
