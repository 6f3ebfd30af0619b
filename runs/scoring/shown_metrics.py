"""How numbers are shown, as the specs of their metrics say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data.record import metrics
from data.record.metrics import MetricValue
from data.record.studies import Study
from data.store.store import Connection
from runs.scoring.metric_spec import ConversationMetric, JudgeMetric, MetricSpec, Need, ShownRow, StudyMetric
from runs.scoring.registry import METRICS, metric_specs

Columns = dict[tuple[str, str], str]  # (metric, variant) -> title
NEEDS: dict[Need, str] = {
    "gold_steps": "gold steps",
    "target_plan": "a target plan",
    "critical_entities": "critical entities",
    "any_reference": "a plan, gold steps or critical entities",
    "reasoning": "reasoning that the assistant marked as such, or gold steps",
    "entailment": "a model that tells whether one text follows from another",
    "embedder": "an embedding model",
    "recogniser": "a model that recognises entities",
}
MODELS: tuple[Need, ...] = ("entailment", "embedder", "recogniser")


def column_titles() -> Columns:
    """Return the titles of the numbers of single conversations, in the order in which they are shown."""
    return {key: title for spec in metric_specs(ConversationMetric) for key, title in _columns(spec).items()}


def titles_of(values: Sequence[MetricValue]) -> Columns:
    """Return `column_titles`, each followed by the same number of other embedders in `values`."""
    own = column_titles()
    others: dict[tuple[str, str], dict[tuple[str, str], str]] = {}
    newest = {(value.metric, value.variant): value for value in values}
    for value in newest.values():
        counterpart = (value.metric, value.detail.get("counterpart", ""))
        if counterpart in own:
            title = f"{own[counterpart]}, {value.detail['embedder']}"
            others.setdefault(counterpart, {})[value.metric, value.variant] = title
    return {
        name: shown
        for key, title in own.items()
        for name, shown in {key: title, **dict(sorted(others.get(key, {}).items()))}.items()
    }


def _columns(spec: ConversationMetric) -> Columns:
    return {
        (column.metric or spec.name, column.variant or spec.variants[0]): column.title
        for column in spec.columns
    }


def needs_of_columns() -> dict[tuple[str, str], Sequence[Need]]:
    """Return what each number of single conversations needs."""
    return {key: spec.needs for spec in metric_specs(ConversationMetric) for key in _columns(spec)}


def needs_in_words(metric: str) -> list[str]:
    """Return what a conversation needs for a number of this name, such as ["a target plan"]; models are
    left out. [] for an unknown name.
    """
    return next(
        (
            [NEEDS[need] for need in needs if need not in MODELS]
            for (name, _), needs in needs_of_columns().items()
            if name == metric
        ),
        [],
    )


def values_of_study_metrics(values: Sequence[MetricValue]) -> list[MetricValue]:
    """Return the values of metrics that exist only for the study as a whole."""
    names = {row.metric or spec.name for spec in metric_specs(StudyMetric) for row in spec.rows}
    return [value for value in values if value.metric in names]


def _rows() -> dict[str, ShownRow]:
    return {row.metric or spec.name: row for spec in metric_specs(MetricSpec) for row in spec.rows}


def is_lead_only(value: MetricValue) -> bool:
    """Tell whether a number of the study stays hidden from raters; True for an unknown metric."""
    row = _rows().get(value.metric)
    return row is None or row.lead_only


def study_title(value: MetricValue) -> str:
    """Return what a number of the study is called: "TITLE", or "TITLE (VARIANT, EMBEDDER)" with what
    applies.

    The stored name takes the place of the title if the metric no longer exists.
    """
    row = _rows().get(value.metric)
    title = row.title if row else value.metric
    own = value.detail.get("counterpart", value.variant)
    words = ((row.variants if row else {}).get(own, own), _other_embedder(value))
    told = ", ".join(word for word in words if word)
    return f"{title} ({told})" if told else title


def basis(value: MetricValue) -> str:
    """Return what a number of the study rests on, such as "12 conversations of 5 persons"; "" if unknown."""
    row = _rows().get(value.metric)
    counted = row.counted if row else "conversations"
    for key, word in (("conversations", "conversations"), ("biased", "biased answers"), ("n", counted)):
        if isinstance(value.detail.get(key), int):
            persons = value.detail.get("persons")
            return f"{value.detail[key]:,} {word}" + (f" of {persons:,} persons" if persons else "")
    return ""


def curve_title(value: MetricValue) -> str:
    """Return the title of the chart of an average curve; "" if none is drawn."""
    row = _rows().get(value.metric)
    title = row.curves.get(value.detail.get("counterpart", value.variant), "") if row else ""
    embedder = _other_embedder(value)
    return f"{title}, {embedder}" if title and embedder else title


def _other_embedder(value: MetricValue) -> str:
    """Its name, where a number is not of the default one."""
    return str(value.detail["embedder"]) if value.detail.get("counterpart") else ""


def named_models(values: Sequence[MetricValue]) -> list[str]:
    """Return "METRIC: MODEL" for the models that the study's numbers were computed with, sorted, each once.

    METRIC is the name's part before the first "_". Only metrics to which the model belongs.
    """
    rows = _rows()
    return sorted(
        {
            f"{value.metric.split('_')[0]}: {value.detail['model']}"
            for value in values
            if value.metric in rows and rows[value.metric].says_model and value.detail.get("model")
        }
    )


def unit_title(value: MetricValue) -> str:
    """Return the title of the metric of a number made of a judge's labels; without one its stored name, "_"
    as blanks.
    """
    spec = _judge_spec(value)
    return spec.title if spec else value.metric.replace("_", " ")


def remark(value: MetricValue) -> str:
    """Return the words behind a number made of a judge's labels; "" if there are none."""
    spec = _judge_spec(value)
    return spec.remark(value) if spec and spec.remark else ""


def _judge_spec(value: MetricValue) -> JudgeMetric | None:
    return next((spec for spec in metric_specs(JudgeMetric) if spec.name == value.metric), None)


def titles_without_entailment(present: Sequence[MetricValue]) -> list[str]:
    """Return titles of numbers that are missing only because there is no entailment model, each with a
    small first letter.

    [] if any such number, or no other number of conversations, was computed.
    """
    computed = {value.metric for value in present}
    specs = metric_specs(ConversationMetric)
    entailed = [spec for spec in specs if "entailment" in spec.needs]
    if any(spec.name in computed for spec in entailed):
        return []
    if not any(spec.name in computed for spec in specs):
        return []
    return list(_in_small_letters(entailed))


def run_folder_values(connection: Connection, study: Study) -> list[MetricValue]:
    """Return the numbers of a study that belong in its run folder's metrics.json."""
    names = {spec.name for spec in metric_specs(MetricSpec) if spec.in_run_folder}
    if not names:
        return []
    present = metrics.present_without_curves(connection, study.id)
    return [value for value in present if value.metric in names and value.subject.key == metrics.STUDY]


def _in_small_letters(specs: Sequence[ConversationMetric]) -> Iterator[str]:
    for spec in specs:
        for title in _columns(spec).values():
            yield title[:1].lower() + title[1:]


def problems() -> list[str]:
    """Return a sentence for each metric of another package that is left out."""
    return METRICS.problems()
