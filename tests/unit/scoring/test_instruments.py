"""Files that a study lead broke: the message names the file, the line, the field and what was expected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from configs.files.yaml_files import ConfigFileError, content_hash, read_model
from scoring.instruments import Taxonomy, load_instrument, parse_instrument, parse_taxonomy

GOOD = """\
key: example
version: "1"
title: Example
unit: conversation
scales:
  steps:
    kind: ordinal
    levels:
      - {id: "0", name: none, key: "0", value: 0}
      - {id: "1", name: some, key: "1", value: 1}
    not_applicable: {id: NA, name: does not apply, key: a}
categories:
  - {id: care, name: Care, weight: "0.75"}
  - {id: craft, name: Craft, weight: "0.25"}
criteria:
  - {id: first, name: First, scale: steps, category: care}
  - {id: second, name: Second, scale: steps, category: craft}
score:
  rule: weighted_categories
  threshold: "0.80"
"""

BROKEN = {
    "missing_field": ("title: Example\n", "", "line 1, field title: this field is missing"),
    "extra_field": (
        "title: Example",
        "title: Example\ncolour: red",
        "line 4, field colour: there is no such field",
    ),
    "wrong_type": ("title: Example", "title: [a, b]", "line 3, field title: expected a text, found a list"),
    "wrong_choice": (
        "kind: ordinal",
        "kind: metric",
        "line 7, field scales.steps.kind: .*'nominal' or 'ordinal'.*found 'metric'",
    ),
    "two_levels_with_a_key": (
        'name: some, key: "1"',
        'name: some, key: "0"',
        "line 6, field scales.steps: two levels share the key '0'",
    ),
    "two_levels_with_an_id": (
        'id: "1", name: some',
        'id: "0", name: some',
        "line 6, field scales.steps: two levels share the id '0'",
    ),
    "reserved_key": (
        'name: some, key: "1"',
        "name: some, key: c",
        "line 6, field scales.steps: the key 'c' is used for something else",
    ),
    "level_without_value": (", value: 1}", "}", "line 6, field scales.steps: every level needs a value"),
    "levels_out_of_order": (
        "value: 0}",
        "value: 5}",
        "line 6, field scales.steps: the levels of an ordinal scale must be listed from the lowest",
    ),
    "weights_not_1": (
        'weight: "0.25"',
        'weight: "0.20"',
        "weights of the categories add up to 0.95; they must add up to 1",
    ),
    "weight_of_a_billion_digits": (
        'weight: "0.25"',
        'weight: "1e999999999"',
        "line 14, field categories.1.weight: expected a number in quotes",
    ),
    "weight_not_a_number": (
        'weight: "0.25"',
        "weight: some",
        "line 14, field categories.1.weight: expected a number in quotes.*found 'some'",
    ),
    "unknown_scale": (
        "scale: steps, category: craft",
        "scale: stairs, category: craft",
        "criterion second names the scale 'stairs'; there are: steps",
    ),
    "unknown_category": (
        "category: craft",
        "category: art",
        "criterion second names the category 'art'; there are: care, craft",
    ),
    "criterion_twice": ("id: second", "id: first", "the criterion first is listed twice"),
    "category_twice": ("id: craft, name", "id: care, name", "the category care is listed twice"),
    "no_threshold": ('  threshold: "0.80"\n', "", "a score by weighted categories needs a threshold"),
    "identifier_with_a_blank": (
        "id: second",
        "id: second one",
        "line 17, field criteria.1.id: expected a name of letters, .* without blanks, .*found 'second one'",
    ),
    "minimum_turns_where_na_is_invalid": (
        "scale: steps, category: craft",
        "scale: steps, category: craft, minimum_turns: 3, not_applicable: invalid",
        "criterion second has minimum_turns, so its scale must allow not_applicable",
    ),
    "not_yaml": (
        "unit: conversation",
        "unit: [conversation",
        "line .*a quote or a bracket above is never closed",
    ),
}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def to_file(body: str | bytes) -> Path:
        path = tmp_path / "example.yaml"
        path.write_bytes(body if isinstance(body, bytes) else body.encode())
        return path

    return to_file


def test_the_unbroken_file_loads_with_its_text(write: Callable[[str], Path]) -> None:
    instrument, text = load_instrument(write(GOOD))
    assert (instrument.key, text) == ("example", GOOD)


@pytest.mark.parametrize(("old", "new", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_named_with_line_field_and_what_was_expected(
    write: Callable[[str], Path], old: str, new: str, message: str
) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(ConfigFileError, match=rf"^example\.yaml[,:] .*{message}"):
        load_instrument(write(GOOD.replace(old, new)))


def test_every_broken_file_says_line_and_field_unless_it_is_the_whole_or_no_yaml(
    write: Callable[[str], Path],
) -> None:
    for old, new, _ in BROKEN.values():
        with pytest.raises(
            ConfigFileError,
            match=r"^example\.yaml(, line \d+, field .+: .|, line \d+: the file can't be read|: \w)",
        ):
            load_instrument(write(GOOD.replace(old, new)))


def test_several_mistakes_are_counted(write: Callable[[str], Path]) -> None:
    with pytest.raises(ConfigFileError, match=r"\(1 more\)"):
        load_instrument(write(GOOD.replace("title: Example\n", "").replace("kind: ordinal", "kind: metric")))


def test_a_file_that_is_not_utf_8_is_refused_by_name(write: Callable[[bytes], Path]) -> None:
    with pytest.raises(ConfigFileError, match=r"^example\.yaml: not UTF-8 text \(byte 39\)"):
        load_instrument(write(GOOD.replace("title: Example", "title: Exampl\xe9").encode("latin-1")))


def test_a_byte_order_mark_does_no_harm(write: Callable[[bytes], Path]) -> None:
    assert load_instrument(write(b"\xef\xbb\xbf" + GOOD.encode()))[0].key == "example"


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigFileError, match=r"^example\.yaml: there is no such file"):
        load_instrument(tmp_path / "example.yaml")


@pytest.mark.parametrize("body", ["", "- a\n- b\n", "only words\n"])
def test_a_file_without_fields_is_refused(write: Callable[[str], Path], body: str) -> None:
    with pytest.raises(ConfigFileError, match=r"^example\.yaml, line 1: expected fields with values"):
        load_instrument(write(body))


def test_a_field_that_stands_twice_is_refused_because_the_second_would_win_silently(
    write: Callable[[str], Path],
) -> None:
    with pytest.raises(ConfigFileError, match=r"^example\.yaml, line 4, field title: .*twice"):
        load_instrument(write(GOOD.replace("title: Example", "title: Example\ntitle: Other")))


def test_criteria_and_criteria_from_exclude_each_other() -> None:
    with pytest.raises(ConfigFileError, match="give either criteria or criteria_from"):
        parse_instrument(GOOD + "criteria_from: declared_plan\ndeclared_scale: steps\n")


def test_a_broken_taxonomy_is_named_in_the_same_way(write: Callable[[str], Path]) -> None:
    with pytest.raises(
        ConfigFileError,
        match=r"^example\.yaml, line 5, field strategies\.0\.description: this field is missing",
    ):
        read_model(write('key: t\nversion: "1"\ntitle: T\nstrategies:\n  - {id: a, name: A}\n'), Taxonomy)


def test_a_taxonomy_does_not_list_a_strategy_twice() -> None:
    body = (
        'key: t\nversion: "1"\ntitle: T\nstrategies:\n  - {id: a, name: A, description: x}\n  - {id: a, '
        "name: B, description: y}\n"
    )
    with pytest.raises(ConfigFileError, match="the strategy a is listed twice"):
        parse_taxonomy(body)


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("0", "0"),
        ("SOME", "1"),
        (" none ", "0"),
        (1, "1"),
        (1.0, "1"),
        ("na", "NA"),
        ("2", None),
        (0.5, None),
        (True, None),
    ],
)
def test_a_label_is_read_as_id_or_name_and_nothing_else(written: object, label: str | None) -> None:
    assert parse_instrument(GOOD).scales["steps"].label(written) == label


def test_line_ends_do_not_make_another_text() -> None:
    assert content_hash("a\nb\n") == content_hash("a\r\nb\r\n") != content_hash("a\nc\n")
