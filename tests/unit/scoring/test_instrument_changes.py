"""What a new version of a rubric says otherwise, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from configs.settings import ROOT
from scoring.instrument_changes import compare
from scoring.instruments import load_instrument, parse_instrument
from tests.studies.settling import MIXED

TWO = MIXED.replace('version: "1"', 'version: "2"')
SHIPPED = sorted((ROOT / "instruments").glob("*.yaml"))


def changed(old: str, new: str) -> tuple[tuple[str, ...], list[str]]:
    found = compare(parse_instrument(MIXED), parse_instrument(TWO.replace(old, new)))
    assert found.problems == []
    return found.read_anew, found.notes


def test_nothing_changed_is_nothing_to_read_anew() -> None:
    assert changed("nothing of the kind", "x") == ((), [])


@pytest.mark.parametrize(
    ("old", "new", "anew", "notes"),
    [
        ("name: Clear,", "name: Clearer,", ("clear",), ["Clearer (clear): its name changed."]),
        (
            "name: Safe,",
            "name: Safe, not_applicable: invalid, failures: [a shrug],",
            ("safe",),
            ["Safe (safe): whether it may not apply, its examples changed."],
        ),
        ('name: "Much"', 'name: "A lot"', ("kind",), ["Kind (kind): the words of its labels changed."]),
        (
            'key: "2", value: 2}',
            'key: "2", value: 3}',
            ("kind",),
            ["Kind (kind): what its labels count changed."],
        ),
        (
            '      - {id: "4", name: "Fully", key: "4", value: 4}\n',
            "",
            ("kind",),
            ["Kind (kind): its labels (0, 1, 2, 4, NA became 0, 1, 2, NA) changed."],
        ),
        (
            "  - {id: clear, name: Clear, scale: yes_no, category: care}\n",
            "",
            (),
            ["Clear (clear) is gone: nobody is asked it any more."],
        ),
        (
            "  - {id: clear, name",
            "  - {id: plain, name",
            ("plain",),
            ["Clear (plain) is new.", "Clear (clear) is gone: nobody is asked it any more."],
        ),
        ("title: Mixed rubric", "title: Mixed", (), ["The title changed."]),
        ('weight: "0.5", gate: true', 'weight: "0.5"', (), ["The categories changed."]),
    ],
)
def test_each_difference_is_said_of_the_criterion_that_has_it(
    old: str, new: str, anew: tuple[str, ...], notes: list[str]
) -> None:
    assert changed(old, new) == (anew, notes)


def test_a_level_whose_key_alone_changed_is_read_as_before() -> None:
    assert changed('name: "Yes", key: y', 'name: "Yes", key: b') == ((), [])


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_rubric_is_no_new_version_of_itself(path: Path) -> None:
    instrument, _ = load_instrument(path)
    assert len(compare(instrument, instrument).problems) == 1


def test_the_scale_of_declared_plans_concerns_every_criterion() -> None:
    instrument, body = load_instrument(ROOT / "instruments" / "plan_alignment.yaml")
    name = instrument.scales[str(instrument.declared_scale)].levels[0].name
    new = parse_instrument(
        body.replace(f'version: "{instrument.version}"', 'version: "99"')
        .replace(f"version: {instrument.version}\n", "version: v99\n")
        .replace(name, "Other words")
    )
    comparison = compare(instrument, new)
    assert (comparison.read_anew, comparison.problems) == (("*",), [])
    assert comparison.notes == ["The scale of every criterion: the words of its labels changed."]
