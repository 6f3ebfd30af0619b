"""Runs in words: a sentence each, rho with n and interval, medians, models, and a reason wherever there is not a number."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from data.record.run_summaries import RunCurve, RunSummary, Source
from reports.document import Paragraph, Scatter, Section, Table
from reports.drift.run_tables import section
from tests.unit.scoring.leaving_out import leave_each_out

TEMPERATURES = (0.0, 0.075, 0.15, 0.3, 0.6)
VECTORS = json.loads(
    (Path(__file__).parents[3] / "vectors" / "reference" / "drift_slope.json").read_text(encoding="utf-8")
)["cases"]
PUBLISHED = {
    case["tag"].removeprefix("published:"): case for case in VECTORS if case["tag"].startswith("published:")
}


def runs(
    effect: float,
    cells: int = 60,
    noise: float = 0.02,
    source: Source = "table",
    tier: str | None = "experiment",
) -> list[RunSummary]:
    draw = np.random.default_rng(5)
    summaries = []
    for cell in range(cells):
        level = 0.6 + 0.2 * draw.random()
        for temperature in TEMPERATURES:
            value = float(np.clip(level + effect * temperature + draw.normal(0, noise), 0, 1))
            summaries.append(
                RunSummary(
                    f"r{cell}_{temperature}",
                    source,
                    f"model {cell % 10}",
                    f"vignette {cell // 10}",
                    temperature,
                    tier=tier,
                    numbers={"alignment_mean": value, "jaccard_all": 0.5},
                )
            )
    return summaries


def words(found: Section | None) -> list[str]:
    assert found is not None
    return [block.text for block in found.blocks if isinstance(block, Paragraph)]


def table(found: Section | None, key: str) -> Table:
    assert found is not None
    return next(block for block in found.blocks if isinstance(block, Table) and block.key.startswith(key))


def test_nothing_is_no_section() -> None:
    assert section([]) is None


@pytest.mark.parametrize(
    ("effect", "says"),
    [
        (-0.3, "Alignment falls as the model's temperature setting rises: rho -0."),
        (0.3, "Alignment rises as the model's temperature setting rises: rho 0."),
        (0.0, "Alignment shows no clear change as the model's temperature setting rises: rho "),
    ],
)
def test_a_sentence_says_which_way_only_where_the_interval_tells(effect: float, says: str) -> None:
    first = words(section(runs(effect)))[0]
    assert first.startswith(says)
    assert "(plausible " in first and first.endswith("300 runs, imported table, experiment.")
    row = table(section(runs(effect)), "run_rhos").rows[0]
    printed = str(row[8])  # corrected for all of them: the sentence follows from it and says it
    assert f", p {printed})" in first and len(row) == 9
    assert (printed == "below 0.001" or float(printed) < 0.05) == (effect != 0.0)


def test_what_never_varies_says_so() -> None:
    assert words(section(runs(0.3)))[1] == (
        "Similarity of plans: whether it changes as the model's temperature setting rises cannot be "
        "estimated: similarity of plans is the same in all of them (300 runs, imported table, experiment)."
    )


def test_rho_stands_with_interval_runs_groups_and_p() -> None:
    rows = table(section(runs(-0.3)), "run_rhos").rows
    assert rows[0][:3] == ("Alignment", "temperature", "imported table, experiment")
    assert rows[0][5:8] == ("300", "60", "below 0.001")
    assert rows[1][3] == "cannot be estimated: similarity of plans is the same in all of them"
    assert rows[1][4] == rows[1][7] == ""


def test_few_groups_are_told() -> None:
    found = section(runs(-0.3, cells=6))
    assert words(found)[0].endswith("; few groups, so do not rely on it.")
    assert str(table(found, "run_rhos").rows[0][4]).endswith("too little data to rely on")


@pytest.mark.parametrize(
    "some",
    [
        [RunSummary("r", "table", "m", numbers={"jaccard_all": 0.5})],
        [RunSummary("r", "table", "m", temperature=0.5)],
    ],
)
def test_runs_that_cannot_be_compared_say_so(some: list[RunSummary]) -> None:
    assert (
        words(section(some))[0]
        == "1 run: none has both a number and a temperature setting or length, so there is nothing to "
        "compare."
    )


def test_medians_stand_by_temperature_with_their_interval() -> None:
    report_table = table(section(runs(-0.3)), "run_medians")
    assert [row[0] for row in report_table.rows] == ["0", "0.075", "0.15", "0.3", "0.6"]
    assert all(row[1] == "60" and " to " in str(row[2]) for row in report_table.rows)
    again = section(
        [
            *runs(0.0),
            *(
                RunSummary(
                    f"again {run.run}",
                    "table",
                    run.model,
                    run.vignette,
                    run.temperature,
                    tier=run.tier,
                    numbers=run.numbers,
                )
                for run in runs(0.0)
            ),
        ]
    )
    assert "several of them are of one group" in str(table(again, "run_medians").rows[0][2])


def test_models_stand_by_themselves() -> None:
    report_table = table(section(runs(-0.3)), "run_models")
    assert len(report_table.rows) == 10
    assert all(row[1] == "30" and " to " in str(row[3]) and row[6] == "30" for row in report_table.rows)
    steady = [
        RunSummary(f"r{n}", "table", "m", f"v{n % 2}", n / 10, numbers={"alignment_mean": 1.0})
        for n in range(4)
    ]
    assert table(section(steady), "run_models").rows[0][2:4] == (
        "1.000",
        "none: the number is the same for every vignette",
    )


def test_the_mean_of_a_model_leaves_out_one_vignette_at_a_time() -> None:
    some = [run for run in runs(-0.3, noise=0.1) if run.model == "model 3"]
    some += [replace(run, run=f"again {run.run}") for run in some[:7]]
    by_vignette: dict[str | None, list[float]] = {}
    for run in some:
        by_vignette.setdefault(run.vignette, []).append(run.numbers["alignment_mean"])
    expected = leave_each_out(
        list(by_vignette.values()),
        lambda groups: mean(value for group in groups for value in group) if groups else None,
    )
    assert len(by_vignette) == 6
    assert table(section(some), "run_models").rows[0][2:4] == (
        f"{expected.value:.3f}",
        f"{expected.low:.3f} to {expected.high:.3f}",
    )


def test_a_blank_number_is_left_out_and_n_says_so() -> None:
    some = runs(-0.3)
    some[0] = RunSummary(
        "r", "table", "model 0", "vignette 0", 0.0, tier="experiment", numbers={"jaccard_all": 0.5}
    )
    found = section(some)
    assert table(found, "run_rhos").rows[0][5] == "299"
    assert str(table(found, "run_medians").rows[0][2]).endswith("59 runs)")


def test_tiers_and_sources_are_never_mixed_and_depth_is_its_own_comparison() -> None:
    some = [*runs(-0.3), *runs(0.3, tier="test"), *runs(0.3, source="folder", tier=None)]
    deep = [
        RunSummary(
            f"d{n}",
            "table",
            "model 1",
            f"vignette {n % 6}",
            0.1,
            n_messages=9 + 2 * (n // 6),
            numbers={"alignment_mean": 0.9 + n / 1000 + (n % 7) / 500},
        )
        for n in range(30)
    ]
    rows = table(section([*some, *deep]), "run_rhos").rows
    assert [(row[0], row[1], row[2], row[5]) for row in rows if row[0] == "Alignment"] == [
        ("Alignment", "temperature", "imported table, experiment", "300"),
        ("Alignment", "temperature", "imported table, test", "300"),
        ("Alignment", "messages before the reply", "imported table", "30"),
        ("Alignment", "temperature", "run folders of this program", "300"),
    ]
    bare = [replace(run, run=f"bare {run.run}", tier=None) for run in runs(0.2)]
    assert ("imported table, without a tier", "300") in [
        (row[2], row[5]) for row in table(section([*some, *bare]), "run_rhos").rows if row[0] == "Alignment"
    ]
    keys = [block.key for block in section([*some, *deep]).blocks if isinstance(block, Table)]  # type: ignore[union-attr]
    assert len(keys) == len(set(keys))


def test_points_are_there_to_be_drawn() -> None:
    found = section(runs(0.0, cells=3))
    assert found is not None
    [chart] = [block for block in found.blocks if isinstance(block, Scatter)]
    assert len(chart.x) == len(chart.y) == len(chart.groups) == 15
    assert (chart.x_name, chart.y_name, set(chart.groups)) == (
        "Temperature",
        "Alignment",
        {"model 0", "model 1", "model 2"},
    )


def test_published_curves_stand_with_the_slopes_that_were_published() -> None:
    assert len(PUBLISHED) == 3
    some = [
        RunSummary(name, "curve", name, curve=RunCurve(tuple(case["curve"]), 30))
        for name, case in PUBLISHED.items()
    ]
    rows = table(section(some), "run_curves").rows
    for row in rows:
        assert float(str(row[5])) == pytest.approx(PUBLISHED[str(row[0])]["expected_slope"], abs=5e-5)
        assert row[2] == "30"


def test_a_curve_with_one_value_has_no_slope_and_says_why() -> None:
    row = table(section([RunSummary("m", "curve", "m", curve=RunCurve((None, 0.5)))]), "run_curves").rows[0]
    assert row[2:6] == (
        "unknown",
        "0.50",
        "0.50",
        "cannot be estimated: a slope needs values in at least two turns",
    )
