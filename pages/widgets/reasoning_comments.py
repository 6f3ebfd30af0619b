"""What clinicians wrote of a judge's reasoning, by criterion, on its card."""

from __future__ import annotations

from data import reasoning_comments
from data.judgements import Judge
from data.rater_codes import read_rater_codes
from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.unit_links import unit_links
from reports.agreement.outcome import ERASED


def show_reasoning_comments(study: Study, judge: Judge) -> None:
    """A table a criterion, in the instrument's order. Only for whom the labels of the whole study may be
    shown to."""
    with reader_session.store().reading() as connection:
        comments = reasoning_comments.of_judge(connection, study.id, judge.id)
        codes = read_rater_codes(connection, study)
    if not comments:
        return
    untrusted_text.heading("What clinicians wrote of its reasons", 3)
    criteria = {
        criterion.id: criterion.name
        for criterion in study.instrument.criteria or (study.taxonomy.strategies if study.taxonomy else ())
    }
    listed = {comment.criterion for comment in comments}
    for criterion in [*(name for name in criteria if name in listed), *sorted(listed - criteria.keys())]:
        of_it = [comment for comment in comments if comment.criterion == criterion]
        links = unit_links(study, {comment.position for comment in of_it}, criterion)
        untrusted_text.table(
            f"{criteria.get(criterion, criterion)}: {len(of_it):,}",
            ["Unit", "Clinician", "Its reasoning is", "Comment"],
            [
                [
                    links[comment.position],
                    codes[comment.rater],
                    comment.called or "",
                    comment.text if comment.text is not None else ERASED,
                ]
                for comment in of_it
            ],
        )
