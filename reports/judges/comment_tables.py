"""What clinicians wrote of a judge's reasoning, a table a criterion."""

from __future__ import annotations

from collections.abc import Iterator

from data.labels import reasoning_comments
from data.record.judgements import Judge
from data.record.rater_codes import read_rater_codes
from data.record.studies import Study
from data.store.store import Connection
from reports.agreement.decisions_and_reasons import ERASED
from reports.document import Table, UnitLink


def comment_tables(connection: Connection, study: Study, judge: Judge, key: str) -> Iterator[Table]:
    """Yield a table per criterion of what clinicians, under codes, wrote about the judge's reasons.

    In the order of the instrument; nothing if nobody wrote. `key`: what the tables' keys begin with. Only
    for somebody who may see the labels of the whole study.
    """
    comments = reasoning_comments.of_judge(connection, study.id, judge.id)
    codes = read_rater_codes(connection, study)
    criteria = {
        criterion.id: criterion.name
        for criterion in study.instrument.criteria or (study.taxonomy.strategies if study.taxonomy else ())
    }
    commented = {comment.criterion for comment in comments}
    order = [*(name for name in criteria if name in commented), *sorted(commented - criteria.keys())]
    for number, criterion in enumerate(order, start=1):
        of_criterion = [comment for comment in comments if comment.criterion == criterion]
        yield Table(
            f"{key}_{number}",
            f"{criteria.get(criterion, criterion)}: {len(of_criterion):,}",
            (study.noun.heading, "Clinician", "Its reasoning is", "Comment"),
            [
                (
                    UnitLink(comment.position, criterion),
                    codes[comment.rater],
                    comment.called or "",
                    comment.text if comment.text is not None else ERASED,
                )
                for comment in of_criterion
            ],
        )
