"""Computing metrics of conversations. One of ours that cannot read its input is named as a problem; one that
fails, whosesoever it is, leaves an undefined number with the reason, and is named as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from configs.registry import RegistryEntry
from data.record.conversations import Conversation
from data.record.metrics import MetricSubject, MetricValue, inputs_hash
from runs.requests.entailment import NotAskedYet
from runs.scoring.cases import CaseBuilder, case_inputs
from runs.scoring.checked_results import failed_results, own_results, results_of
from runs.scoring.metric_spec import ConversationMetric, MetricCase, MetricSpec
from runs.scoring.metric_values import as_values
from scoring.bad_input import BadInput

Problems = list[tuple[str, str]]  # (conversation, what went wrong)


@dataclass(frozen=True)
class PendingCase:
    """A case with the metric that it is for; `inputs`: the hash of what its numbers will be made of."""

    entry: RegistryEntry[MetricSpec]
    spec: ConversationMetric
    key: str
    subject: MetricSubject
    case: MetricCase
    inputs: str


def pending_case(
    cases: CaseBuilder,
    entry: RegistryEntry[MetricSpec],
    spec: ConversationMetric,
    conversation: Conversation,
    replies: list[str | None],
    problems: Problems,
    other_embedder: str = "",
) -> PendingCase | None:
    """Return the case of a metric and a conversation; None if the metric does not apply.

    `other_embedder`: used instead of the default one; "" for the default.
    """
    case = cases.case(entry, spec, conversation, replies, other_embedder)
    if case is None:
        return None
    try:
        inputs = case_inputs(spec, case)
    except BadInput as error:
        problems.append((conversation.key, str(error)))
        return None
    subject = MetricSubject(conversation_id=conversation.id)
    return PendingCase(entry, spec, conversation.key, subject, case, inputs)


def compute_case(cases: CaseBuilder, pending: PendingCase, problems: Problems) -> list[MetricValue]:
    """Return the numbers of one case; [] if its embedder is missing.

    A metric that raises gets a reason instead of a number, and is added to `problems`. Raise NotAskedYet if
    a judge has to be asked first.
    """
    spec, case = pending.spec, pending.case
    assert spec.compute is not None
    if "embedder" in spec.needs:
        embedder = cases.embedder(case.other_embedder)
        if embedder is None:
            return []
        case = replace(case, embedder=embedder)
    inputs = pending.inputs
    try:
        results = results_of(pending.entry, spec.compute(case), spec.variants)
    except NotAskedYet:
        raise
    except Exception as error:  # noqa: BLE001  whatever a metric raises, its number is undefined
        if pending.entry.is_own and isinstance(error, BadInput):
            problems.append((pending.key, str(error)))
            return []
        results = failed_results(error, spec.variants)
        # Not the hash of its inputs: the next scoring tries again.
        inputs = inputs_hash(inputs, "failed")
        problems.append((pending.key, failure_sentence(pending.entry, error)))
    return as_values(spec, pending.subject, inputs, results)


def compute_all_cases(
    cases: CaseBuilder, pending: Sequence[PendingCase], problems: Problems
) -> list[MetricValue]:
    """Return the numbers of several conversations by a metric that computes them at once.

    All cases have the same metric and embedder; [] if the embedder is missing.
    """
    spec = pending[0].spec
    assert spec.compute_all is not None
    embedder = cases.embedder(pending[0].case.other_embedder) if "embedder" in spec.needs else None
    if "embedder" in spec.needs and embedder is None:
        return []
    try:
        returned = spec.compute_all([replace(each.case, embedder=embedder) for each in pending])
    except Exception as error:  # noqa: BLE001  one conversation must not take the others with it: each by itself, the bad one is named
        if len(pending) == 1:
            problems.append((pending[0].key, f"{spec.title} failed ({type(error).__name__})"))
            return []
        return [value for each in pending for value in compute_all_cases(cases, [each], problems)]
    return [
        value
        for each, results in zip(pending, returned, strict=True)
        for value in as_values(spec, each.subject, each.inputs, own_results(results))
    ]


def compute_study_value(
    entry: RegistryEntry[MetricSpec],
    spec: ConversationMetric,
    present: Sequence[MetricValue],
    problems: Problems,
) -> list[MetricValue]:
    """Return the study's numbers of a metric, made of those of its conversations; [] if it has none."""
    values = [value for value in present if value.metric == spec.name and value.subject.conversation_id]
    if spec.together is None or not values:
        return []
    inputs = inputs_hash(
        spec.name, "together", spec.version, sorted(value.inputs for value in values), *persons_of(values)
    )
    try:
        results = results_of(entry, spec.together(values), spec.variants[:1])
    except Exception as error:  # noqa: BLE001  as above
        results = failed_results(error, spec.variants[:1])
        inputs = inputs_hash(inputs, "failed")
        problems.append(("the study", failure_sentence(entry, error)))
    return as_values(spec, MetricSubject(), inputs, results)


def with_person(value: MetricValue, shared: Mapping[int, int]) -> MetricValue:
    """Return the number with the person's number in its detail, if several conversations are of one person.

    Intervals then leave out persons. `shared`: as `conversations.shared_persons` returns.
    """
    number = shared.get(value.subject.conversation_id or 0)
    return value if number is None else replace(value, detail={**value.detail, "person": number})


def persons_of(values: Sequence[MetricValue]) -> list[list[int]]:
    """Return [conversation, person] of the values with a person, ascending, for a hash of inputs."""
    persons = [
        [value.subject.conversation_id or 0, value.detail["person"]]
        for value in values
        if "person" in value.detail
    ]
    return sorted(persons)


def failure_sentence(entry: RegistryEntry[MetricSpec], error: BaseException) -> str:
    """Return "the metric 'NAME' failed (ValueError)", with " of the package PACKAGE" if it is not the
    program's own.

    The error's message is left out, because it may hold words of a transcript.
    """
    package = "" if entry.is_own else f" of the package {entry.package}"
    return f"the metric {entry.name!r}{package} failed ({type(error).__name__})"
