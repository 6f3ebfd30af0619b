"""second-reader use-judge: choose whose numbers the headlines of a study show."""

from __future__ import annotations

import click

from cli.base import actor, open_configured_store, require_words, show_errors_plainly, study_to_read
from cli.terminal import echo, one_line
from data.record import judgements
from data.record.adoptions import judge_in_use
from reports.agreement.export_files import request_for
from services.judge_in_use import use_judge


@click.command("use-judge")
@click.argument("study")
@click.argument("judge", required=False)
@click.option("--by", callback=lambda *given: require_words(*given) if given[2] else "", help="Your name.")
@show_errors_plainly
def use(study: str, judge: str | None, by: str) -> None:
    """Show the numbers of JUDGE (a name or number) in the headlines of STUDY. Without JUDGE, show which judge
    is in use.
    """
    store = open_configured_store()
    with store.reading() as connection:
        read = study_to_read(connection, study)
        in_use = judge_in_use(connection, read.id)
        names = {judge_here.id: judge_here.name for judge_here in judgements.judges(connection, read.id)}
        chosen = request_for(connection, read, judge).judge if judge else None
    if chosen is not None:
        use_judge(store, actor(), read, chosen.id, by, in_use)
        in_use = chosen.id
    name = names.get(in_use) if in_use is not None else None
    echo(f"Judge in use: {one_line(name)}." if name else "No judge has labels in this study yet.")
