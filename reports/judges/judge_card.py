"""What there is to say of a judge: who it is, what it said and where it failed, whether it repeats itself,
whether clinicians agree with it, and what they wrote of its reasons.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from data.labels import agreement_material
from data.record import adoptions
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Block, Paragraph, Section
from reports.drift.anchor_rounds import caution
from reports.judges import self_preference
from reports.judges.call_counts import call_counts
from reports.judges.comment_tables import comment_tables
from reports.judges.identity_table import identity_table
from reports.judges.repeated_answers import repeated_answers
from reports.wording import share
from scoring.agreement.judges.arms import shown_beside_blind

MIN_PAIRS_FOR_SHARE = (
    20  # pairs of a clinician's blind label and the judge's, below which no share of agreement is printed
)
AGREEMENT = "agreement"
RECORDED = "Recorded: this judge repeats answers that were recorded earlier. No model was asked."


@dataclass(frozen=True)
class JudgeCard:
    """`use`: whether the study uses it, "" where it never decided on a judge. `caution`, `recorded`: what has
    to be known before its numbers, or "". `identity`: who it is and what it said; `parts`: what follows.
    """

    key: str
    title: str
    use: str
    caution: str
    recorded: str
    identity: tuple[Block, ...]
    parts: tuple[Section, ...]


def judge_card(connection: Connection, study: Study, judge: Judge, names_models: bool = False) -> JudgeCard:
    """Return what is known of one judge: title, whether it is in use, a caution, identity and counts, and
    sections.

    The sections, each only if it has content: repeated answers, agreement with clinicians, model families,
    and comments. `names_models`: with the section on families, for a lead, who may learn which model wrote
    a reply.
    """
    in_use = adoptions.judge_in_use(connection, study.id)
    number = judge.id
    parts: tuple[tuple[str, str, Iterator[Block]], ...] = (
        ("repeats", "Does it give the same label when asked again?", repeated_answers(connection, judge)),
        (AGREEMENT, "Do clinicians agree with it?", _agreement(connection, study, judge)),
        *(
            [("families", self_preference.TITLE, self_preference.self_preference(connection, study, judge))]
            if names_models
            else []
        ),
        (
            "comments",
            "What clinicians wrote about its reasons",
            comment_tables(connection, study, judge, f"comments_{number}"),
        ),
    )
    sections = (Section(key, title, tuple(blocks)) for key, title, blocks in parts)
    return JudgeCard(
        f"judge_{number}",
        judge.title,
        "" if in_use is None else f"{'In' if in_use == judge.id else 'Not in'} use in this study.",
        caution(connection, study, judge),
        RECORDED if judge.identity.get("provider") == "replay" else "",
        (
            identity_table(judge, f"identity_{number}"),
            *call_counts(connection, study, judge, f"labels_{number}"),
        ),
        tuple(section for section in sections if section.blocks),
    )


def _agreement(connection: Connection, study: Study, judge: Judge) -> Iterator[Paragraph]:
    blind = shown_beside_blind(agreement_material.read_counted(connection, study, judge.id)).blind
    if blind.pairs < MIN_PAIRS_FOR_SHARE:
        yield Paragraph(
            f"Not enough ratings: {blind.pairs:,} of the clinicians' blind labels can be compared with this "
            f"judge's; a percentage needs at least {MIN_PAIRS_FOR_SHARE}."
        )
    else:
        yield Paragraph(
            f"{blind.same:,} of the clinicians' {blind.pairs:,} blind labels are the same as this judge's: "
            f"{share(blind.percent)}."
        )
