"""What a run would take, before anybody is asked."""

from __future__ import annotations

from dataclasses import dataclass

from data import judgements, ledger_totals, units
from data.judge_runs import JudgeRunOptions
from runs.judging import replicates
from runs.judging.phases import RunPhase, first_phase
from runs.judging.run_configuration import RunConfiguration
from scoring.judges.catalogue import JudgeUnusable

ANSWER_TOKENS = 450  # of an answer with its thinking, before anything is known of this judge


@dataclass(frozen=True)
class RunEstimate:
    """What a run would take. `cost_nano` is None where no price is known.

    `repeats`: how many calls safety answers that are asked again may add; how many is known only when the
    answers are there.
    """

    calls: int
    tokens_in: int
    tokens_out: int
    cost_nano: int | None
    currency: str
    price_of: str
    repeats: int = 0
    replayed: bool = False
    at_most: bool = False

    def sentence(self) -> str:
        if self.replayed:
            return (
                f"{self.calls:,} questions to look up in the recordings. No model is asked, and it costs "
                "nothing."
            )
        more = (
            f" Safety answers that are asked again come on top: up to {self.repeats:,} calls more, known "
            "when the answers are there."
            if self.repeats
            else ""
        )
        cost = (
            "no price is known for this judge"
            if self.cost_nano is None
            else f"about {self.cost_nano / 1e9:,.2f} {self.currency} by the price list of {self.price_of}"
        )
        most = (
            "At most, because it depends on the answers which questions are asked: " if self.at_most else ""
        )
        return (
            f"{most}{self.calls:,} calls, about {self.tokens_in:,} tokens sent and {self.tokens_out:,} "
            f"written: {cost}.{more}"
        )


def dry_run(setting: RunConfiguration, options: JudgeRunOptions) -> RunEstimate:
    """What would be asked, without asking. Raises JudgeUnusable where nothing may be."""
    store, study = setting.store, setting.study
    if not setting.permitted:
        raise JudgeUnusable(setting.refusal())
    setting.check(options)
    digest = setting.identity().digest()
    with store.reading() as connection:
        judge_id = judgements.find(connection, study.id, digest)
        every = units.ids(connection, study.id)
        usage = ledger_totals.mean_usage(connection, judge_id) if judge_id is not None else None
    unit_ids = every[: options.limit]
    phases, repeats = [(first_phase(store, study.id, unit_ids, setting.caller, options), options.batch)], 0
    if options.replicates > 1:
        repeats = len(unit_ids) * len(replicates.safety_criteria(study.instrument)) * (options.replicates - 1)
        drawn = set(replicates.random_units(digest, every, options.share))
        phases.append(
            (
                RunPhase([unit_id for unit_id in unit_ids if unit_id in drawn], range(1, options.replicates)),
                False,
            )
        )
    price = setting.entry.price
    calls = tokens_in = tokens_out = cost = 0
    for phase, batched in phases:
        asked = [
            call.tokens
            for call in phase.pending(
                store, setting.caller, judge_id or 0, options.retry_failures, whole_form=True
            ).calls(lambda _: None)
        ]
        sent = len(asked) * round(usage[0]) if usage else sum(asked)
        written = len(asked) * round(usage[1] if usage else ANSWER_TOKENS)
        calls, tokens_in, tokens_out = calls + len(asked), tokens_in + sent, tokens_out + written
        cost += price.nano(sent, written, 0, batched) if price else 0
    return RunEstimate(
        calls,
        tokens_in,
        tokens_out,
        cost if price else None,
        price.currency if price else "",
        price.date if price else "",
        repeats,
        setting.entry.is_replay,
        study.instrument.conditional,
    )
