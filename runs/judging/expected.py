"""What a run would take, before anybody is asked."""

from __future__ import annotations

from dataclasses import dataclass

from data import judgements, ledger, units
from data.judge_runs import Options
from runs.judging import replicates
from runs.judging.pending import Pending
from runs.judging.setting import Setting
from scoring.judges.catalogue import JudgeUnusable

ANSWER_TOKENS = 450  # of an answer with its thinking, before anything is known of this judge


@dataclass(frozen=True)
class Expected:
    """What a run would take. `cost_nano` is None where no price is known.

    `repeats`: how many calls safety answers that are asked again may add; how many is known only when the answers are there.
    """

    calls: int
    tokens_in: int
    tokens_out: int
    cost_nano: int | None
    currency: str
    price_of: str
    repeats: int = 0
    replayed: bool = False

    def sentence(self) -> str:
        if self.replayed:
            return f"{self.calls:,} questions to look up in the recordings. No model is asked, and it costs nothing."
        more = (f" Safety answers that are asked again come on top: up to {self.repeats:,} calls more, known when the answers are there."
                if self.repeats else "")
        cost = ("no price is known for this judge" if self.cost_nano is None
                else f"about {self.cost_nano / 1e9:,.2f} {self.currency} by the price list of {self.price_of}")
        return f"{self.calls:,} calls, about {self.tokens_in:,} tokens sent and {self.tokens_out:,} written: {cost}.{more}"


def dry_run(setting: Setting, options: Options) -> Expected:
    """What would be asked, without asking. Raises JudgeUnusable where nothing may be."""
    store, study = setting.store, setting.study
    if not setting.permitted:
        raise JudgeUnusable(setting.refusal())
    setting.check(options)
    digest = setting.identity().digest()
    with store.reading() as connection:
        judge_id = judgements.find(connection, study.id, digest)
        unit_ids = units.ids(connection, study.id, options.limit)
        usage = ledger.mean_usage(connection, judge_id) if judge_id is not None else None
    calls = tokens = 0
    phases, repeats = [(unit_ids, range(1))], 0
    if options.replicates > 1:
        repeats = len(unit_ids) * len(replicates.safety_criteria(study.instrument)) * (options.replicates - 1)
        phases.append((replicates.random_units(digest, unit_ids, options.share), range(1, options.replicates)))
    for chosen, askings in phases:
        for call in Pending(store, setting.caller, judge_id or 0, chosen, list(askings), options.retry_failures).calls(lambda _: None):
            calls, tokens = calls + 1, tokens + call.tokens
    out = calls * round(usage[1] if usage else ANSWER_TOKENS)
    tokens_in = calls * round(usage[0]) if usage else tokens
    price = setting.entry.price
    cost = price.nano(tokens_in, out, 0, options.batch) if price else None
    return Expected(calls, tokens_in, out, cost, price.currency if price else "", price.date if price else "",
                    repeats, setting.entry.provider == "replay")
