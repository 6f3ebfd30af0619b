"""What can be added: ours first, two of one name, what is broken, and a sentence that names the package."""

from __future__ import annotations

import pytest

from data.importers.registry import IMPORTERS, importers, importers_on_page
from runs.scoring.metric_spec import ConversationMetric, JudgeMetric, MetricSpec
from runs.scoring.registry import METRICS, metric_specs
from scoring.judges.provider_registry import PROVIDERS
from tests.servers.extension_package import DOCS, REGISTRIES, Packages

GOOD = """
from runs.scoring.metric_spec import ConversationMetric
METRIC = ConversationMetric(name={name!r}, title="words", compute=lambda case: 1.0)
"""


def metric(name: str) -> str:
    return GOOD.format(name=name)


def test_everything_of_ours_is_registered_and_nothing_is_left_out() -> None:
    assert [spec.name for spec in metric_specs(MetricSpec)] == [
        "rubric_score",
        "plan_alignment",
        "plan_experiment",
        "goal_alignment",
        "step_f1",
        "step_f1_thresholds",
        "entity_recall",
        "extracted_entity_recall",
        "paired_runs",
        "knowledge_conflict",
        "step_validity",
        "response_similarity",
    ]
    assert PROVIDERS.names() == ["gemini", "local_classifier", "openai_compatible", "replay"]
    assert list(importers_on_page()) == [
        "tool",
        "conversations",
        "judgements",
        "ratings",
        "gold_steps",
        "target_plan",
        "critical_entities",
        "file",
        "runs",
    ]
    assert [importer.name for importer in importers() if not importer.title] == [
        "run-folder",
        "vera-mh",
        "paired-runs",
    ]
    assert [problem for registry in REGISTRIES for problem in registry.problems()] == []
    assert all(entry.is_own for registry in REGISTRIES for entry in registry.all())


def test_a_package_adds_what_it_names_behind_ours(packages: Packages) -> None:
    packages.add("words", METRICS.group, {"words": "word_lists:METRIC"}, {"word_lists.py": metric("words")})
    entry = METRICS.entry("words")
    assert entry is not None and (entry.package, entry.is_own) == ("words 0.1", False)
    assert metric_specs(MetricSpec)[-1].name == "words"
    assert METRICS.problems() == []


def test_a_name_of_ours_stays_ours(packages: Packages) -> None:
    packages.add("thief", METRICS.group, {"step_f1": "thief:METRIC"}, {"thief.py": metric("step_f1")})
    entry = METRICS.entry("step_f1")
    assert entry is not None and entry.is_own
    assert METRICS.problems() == [
        "The metric 'step_f1' of the package thief 0.1 has the name of one of Second Reader's own. It is left out."
    ]


@pytest.mark.parametrize("name", ["alignment_mean", "bertscore_f1", "goal_alignment_slope", "jaccard_all"])
def test_a_number_of_ours_keeps_its_name(packages: Packages, name: str) -> None:
    packages.add("thief", METRICS.group, {name: "thief:METRIC"}, {"thief.py": metric(name)})
    assert METRICS.problems() == [
        f"The metric {name!r} of the package thief 0.1 can't be used: a number of the program's own has this "
        "name. It is left out."
    ]


def test_two_packages_with_one_name_are_both_left_out(packages: Packages) -> None:
    for name in ("first", "second"):
        packages.add(name, METRICS.group, {"words": f"{name}:METRIC"}, {f"{name}.py": metric("words")})
    assert METRICS.get("words") is None
    assert METRICS.problems() == [
        "The packages first 0.1 and second 0.1 both have a metric 'words'. Both are left out: uninstall one of them."
    ]


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("import nothing_of_this_name", "could not be loaded: ModuleNotFoundError: No module named"),
        ("raise SystemExit(3)", "could not be loaded: SystemExit: 3"),
        ("def broken(:", "could not be loaded: SyntaxError"),
        ("OTHER = 1", "could not be loaded: AttributeError"),
        ("METRIC = 7", "can't be used: it is of the type int, not a metric"),
        (metric("other"), "can't be used: its name is 'other'"),
        (
            metric("words").replace("compute=", "needs=['ratings'], compute="),
            "can't be used: it needs 'ratings'; there are gold_steps, target_plan,",
        ),
        (
            metric("words").replace("compute=", "inputs=str, compute="),
            "can't be used: it must have compute, and leave inputs to the program",
        ),
        (
            metric("words").replace("compute=", "variants=[], compute="),
            "can't be used: its variants must be a list of different texts",
        ),
        (
            metric("words").replace("compute=", "columns=['Words'], compute="),
            "can't be used: its columns must be ShownColumn with a title and no metric",
        ),
        (
            "from runs.scoring.metric_spec import StudyMetric\n"
            "METRIC = StudyMetric(name='words', title='words', compute=lambda material: [])",
            "can't be used: it must be a ConversationMetric or a JudgeMetric",
        ),
    ],
)
def test_what_is_broken_is_named_and_everything_else_goes_on(
    packages: Packages, module: str, reason: str
) -> None:
    packages.add("broken", METRICS.group, {"words": "broken:METRIC"}, {"broken.py": module})
    (problem,) = METRICS.problems()
    assert problem.startswith(f"The metric 'words' of the package broken 0.1 {reason}"), problem
    assert problem.endswith(" It is left out.") and len(problem) < 400
    assert METRICS.get("words") is None and METRICS.get("step_f1") is not None


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("JUDGE = object()", "it is no class that inherits from JudgeProvider"),
        ("class JUDGE(JudgeProvider):\n    adapter = 'x'", "it has no method ask"),
        ("class JUDGE(JudgeProvider):\n    async def ask(self, request, room=1): ...", "its adapter must be"),
        (
            "class JUDGE(JudgeProvider):\n    adapter = 'x'\n    replays = True\n"
            "    async def ask(self, request, room=1): ...",
            "replays and batches are for providers of the program's own",
        ),
    ],
)
def test_a_provider_that_is_none_is_named(packages: Packages, body: str, reason: str) -> None:
    module = f"from scoring.judges.judge_provider import JudgeProvider\n{body}\n"
    packages.add("broken", PROVIDERS.group, {"odd": "broken:JUDGE"}, {"broken.py": module})
    (problem,) = PROVIDERS.problems()
    assert problem.startswith(
        f"The judge provider 'odd' of the package broken 0.1 can't be used: {reason}"
    ), problem


IMPORTER = """
from data.importers.row_importers import {base}
class READ({base}):
    name, title, help, layout = "odd", "Odd", "Import FILE.", "Odd."
    {more}
"""


@pytest.mark.parametrize(
    ("base", "more", "reason"),
    [
        ("ConversationImporter", "pass", "it has no method read"),
        ("RowImporter", "def read(self, path, report): ...", "it must inherit from ConversationImporter,"),
        (
            "RatingImporter",
            "options = ()\n    def read(self, path, report): ...",
            "it changes options, which",
        ),
        (
            "RatingImporter",
            "def add(self, *a): ...\n    def read(self, path, report): ...",
            "it changes add,",
        ),
        (
            "JudgementImporter",
            "endings = 'csv'\n    def read(self, path, report): ...",
            "its endings must be",
        ),
        (
            "ReferenceImporter",
            "reference = 'ratings'\n    def read(self, path, report): ...",
            "its reference must be one of gold_steps,",
        ),
    ],
)
def test_an_importer_that_is_none_is_named(packages: Packages, base: str, more: str, reason: str) -> None:
    module = IMPORTER.format(base=base, more=more)
    packages.add("broken", IMPORTERS.group, {"odd": "broken:READ"}, {"broken.py": module})
    (problem,) = IMPORTERS.problems()
    assert problem.startswith(f"The importer 'odd' of the package broken 0.1 can't be used: {reason}"), (
        problem
    )
    assert "conversations" in importers_on_page()


def test_nothing_of_a_package_is_loaded_before_it_is_asked_for(packages: Packages) -> None:
    packages.add("loud", PROVIDERS.group, {"loud": "loud:JUDGE"}, {"loud.py": "raise ValueError('loaded')"})
    assert PROVIDERS.names()[-1] == "loud"
    assert PROVIDERS.get("gemini") is not None
    assert PROVIDERS._problems == {}
    assert "ValueError: loaded" in (PROVIDERS.problem("loud") or "")


def test_a_list_of_entry_points_that_cannot_be_read_keeps_no_other_from_being_used(
    packages: Packages,
) -> None:
    packages.add("words", METRICS.group, {"words": "word_lists:METRIC"}, {"word_lists.py": metric("words")})
    packages.add("torn", METRICS.group, {"torn": "torn:METRIC"})
    (packages.folder / "torn-0.1.dist-info" / "entry_points.txt").write_bytes(b"[second_reader.metrics\n\xff")
    packages.look()
    assert METRICS.get("words") is not None and METRICS.get("step_f1") is not None
    assert METRICS.problems() == [
        "The entry points of the package torn 0.1 can't be read (UnicodeDecodeError). If it adds a metric, that is left out."
    ]


def test_whatever_is_registered_stands_in_the_docs() -> None:
    pages = {page.name: page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")}
    text = "\n".join(pages.values())
    metrics = pages["reference_metrics.md"].casefold()
    assert [
        spec.title for spec in metric_specs(ConversationMetric) if spec.title.casefold() not in metrics
    ] == []
    assert [spec.title for spec in metric_specs(JudgeMetric) if spec.title.casefold() not in metrics] == []
    assert [importer.name for importer in importers() if f"import {importer.name}" not in text] == []
    assert [name for name in PROVIDERS.names() if name.replace("_", "-") not in text.casefold()] == []


def test_the_pages_that_say_how_to_add_are_linked() -> None:
    for page in ("add_metric.md", "add_judge_provider.md", "add_importer.md"):
        assert f"docs/{page}" in (DOCS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
        assert f"({page})" in (DOCS / "architecture.md").read_text(encoding="utf-8")
