"""Estimate what a run would take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.record import judgements, ledger_totals, units
from data.record.judge_runs import JudgeRunOptions
from runs.judging import replicates
from runs.judging.phases import RunPhase, first_phase
from runs.judging.run_configuration import RunConfiguration
from scoring.judges.catalogue import JudgeUnusable

ANSWER_TOKENS = 450  # per answer with thinking, until this judge has answered


@dataclass(frozen=True)
class RunEstimate:
    """What a run would take.

    `cost_nano`: None if no price is known. `only_first_as_batch`: questions that depend on answers have the
    usual price. `seconds`: at the pace of this judge's last run of the study; None if there was none.
    `repeats`: how many calls the repeats of safety answers may add.
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
    only_first_as_batch: bool = False
    seconds: float | None = None

    def sentence(self) -> str:
        """Return what the run would take, in one or two sentences."""
        if self.replayed:
            return (
                f"{self.calls:,} questions will be looked up in the recorded answers. No model is asked, and "
                "it costs nothing."
            )
        more = (
            f" Repeats of safety answers come on top: up to {self.repeats:,} more calls, depending on the "
            "answers."
            if self.repeats
            else ""
        )
        cost = (
            "no price is known for this judge"
            if self.cost_nano is None
            else f"about {self.cost_nano / 1e9:,.2f} {self.currency} by the price list of {self.price_of}"
        )
        most = "At most, because the answers decide which questions are asked: " if self.at_most else ""
        if self.only_first_as_batch:
            more += (
                " Only the first questions go as a batch; those that depend on answers are asked one by one "
                "at the usual price."
            )
        return (
            f"{most}{self.calls:,} calls, about {self.tokens_in:,} tokens sent and {self.tokens_out:,} "
            f"written: {cost}.{more}"
        )


def dry_run(setting: RunConfiguration, options: JudgeRunOptions) -> RunEstimate:
    """Return the estimate without asking anything. Raises JudgeUnusable if nothing may be asked."""
    store, study = setting.store, setting.study
    if not setting.permitted:
        raise JudgeUnusable(setting.refusal())
    setting.check(options)
    digest = setting.identity().digest()
    with store.reading() as connection:
        judge_id = judgements.find(connection, study.id, digest)
        every = units.ids(connection, study.id)
        usage = ledger_totals.mean_usage(connection, judge_id) if judge_id is not None else None
        pace = ledger_totals.pace(connection, judge_id) if judge_id is not None else None
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
        asked = _tokens_of_calls(setting, phase, judge_id, options, whole_form=True)
        in_rounds = phase.in_rounds(setting.caller)
        in_batch = (
            [] if not batched else _tokens_of_calls(setting, phase, judge_id, options) if in_rounds else asked
        )
        sent, written = _expected_tokens(asked, usage)
        sent_as_batch, written_as_batch = _expected_tokens(in_batch, usage)
        calls, tokens_in, tokens_out = calls + len(asked), tokens_in + sent, tokens_out + written
        if price:
            cost += price.nano(sent - sent_as_batch, written - written_as_batch)
            cost += price.nano(sent_as_batch, written_as_batch, 0, batched=True)
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
        study.instrument.conditional and options.batch,
        calls * pace if pace is not None and not options.batch else None,
    )


def _tokens_of_calls(
    setting: RunConfiguration,
    phase: RunPhase,
    judge_id: int | None,
    options: JudgeRunOptions,
    whole_form: bool = False,
) -> list[int]:
    """Return the tokens of each call that is sent."""
    pending = phase.pending(setting.store, setting.caller, judge_id or 0, options.retry_failures, whole_form)
    return [call.tokens for call in pending.calls(lambda _: None)]


def _expected_tokens(asked: Sequence[int], usage: tuple[float, float] | None) -> tuple[int, int]:
    """Return (tokens sent, tokens written), by this judge's usage so far if known."""
    sent = len(asked) * round(usage[0]) if usage else sum(asked)
    return sent, len(asked) * round(usage[1] if usage else ANSWER_TOKENS)
