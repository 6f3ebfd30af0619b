"""Propose target plans of a study from the texts of its cases. A proposal doesn't count until a study lead
accepts it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from data.record import plan_proposals
from data.record.metrics import inputs_hash
from data.record.plan_proposals import CaseText, NewProposal
from data.record.studies import Study
from data.store.store import Store
from runs.requests.entailment import EntailmentSource, NotAskedYet, open_entailment
from scoring.entailment import EntailmentModel
from scoring.plan_components import ComponentPlan, Components, plan_components, shipped_components
from words.plurals import count

BATCH = 16
NO_TEXT = (
    "No conversation of this study has a text to propose a plan from: a fact named "
    f"{', '.join(plan_proposals.FACTS[:-1])} or {plan_proposals.FACTS[-1]}, or gold steps of its own. What "
    "the assistant said is never used: it is what is measured."
)


@dataclass
class ProposalResult:
    """`proposed`: texts with a plan. `empty`: texts that gave no part of a plan. `failed`: the model failed,
    so nothing was kept. `waiting`: for answers of a judge.
    """

    texts: int = 0
    proposed: int = 0
    empty: int = 0
    failed: int = 0
    already: int = 0
    waiting: int = 0
    study: str = field(default="", repr=False)

    def lines(self) -> list[str]:
        """Return the result in sentences."""
        if not self.texts:
            return [NO_TEXT]
        lines = [
            f"{count(self.proposed, 'plan', 'plans')} proposed from {count(self.texts, 'text', 'texts')}; "
            f"{self.empty:,} gave no part of a plan, {self.already:,} were read before. A proposal counts "
            "once a study lead accepts it on the Plans of care page."
        ]
        if self.failed:
            texts = count(self.failed, "text", "texts")
            lines.append(f"The model failed on {texts}: nothing was proposed of it.")
        if self.waiting:
            waiting = count(self.waiting, "text waits", "texts wait")
            lines.append(
                f"{waiting} for answers of the judge: second-reader entail {self.study} --plans asks for "
                "them (with the same --components, if a file was named)."
            )
        return lines


def propose_plans(
    store: Store,
    study: Study,
    actor: str,
    components: Components | None = None,
    source: EntailmentSource | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ProposalResult:
    """Propose plans for texts without one. Raises ModelMissing, StoreError.

    `components`: the parts of a plan, by default the installation's. `source`: of the verdicts, by default
    the configured one.
    """
    parts = components or shipped_components()
    verdicts = source or open_entailment(store, study)
    with store.reading() as connection:
        texts = list(plan_proposals.case_texts(connection, study))
        present = plan_proposals.known_inputs(connection, study.id)
    result = ProposalResult(len(texts), study=study.key)
    for start in range(0, len(texts), BATCH):
        proposals = []
        for case_text in texts[start : start + BATCH]:
            model = verdicts(case_text.conversation_id)
            inputs = _inputs(case_text, model, parts)
            if inputs in present:
                result.already += 1
                continue
            try:
                plan = plan_components([case_text.text], model, parts)
            except NotAskedYet:
                result.waiting += 1
                continue
            if plan.failed:
                result.failed += 1
            else:
                proposals.append(_proposal(case_text, plan, parts, inputs))
        if proposals:
            with store.writing(actor, "propose target plans", study.id) as (connection, entry):
                present |= plan_proposals.known_inputs(connection, study.id)
                new_proposals = plan_proposals.keep(connection, entry, study.id, proposals)
            result.already += sum(proposal.inputs in present for proposal in proposals)
            proposals = new_proposals
        result.proposed += sum(proposal.plan is not None for proposal in proposals)
        result.empty += sum(proposal.plan is None for proposal in proposals)
        if progress:
            progress(min(start + BATCH, len(texts)), len(texts))
    return result


def _inputs(case_text: CaseText, model: EntailmentModel, parts: Components) -> str:
    return inputs_hash(
        "plan_proposal", case_text.conversation_id, case_text.text, model.label, parts.model_dump(mode="json")
    )


def _proposal(case_text: CaseText, plan: ComponentPlan, parts: Components, inputs: str) -> NewProposal:
    sentences = {part.id: part.sentence for part in parts.components}
    return NewProposal(
        case_text.conversation_id,
        plan.components,
        plan.model,
        case_text.source,
        {sentences[part]: hypothesis for part, hypothesis in plan.evidence.items()},
        plan.plan,
        plan.undefined,
        inputs,
    )
