"""The comparison itself: a wrong expectation, a key that nobody reads, a crash, an unknown file and an empty
one are failures."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from configs.settings import ROOT
from tests.vectors.comparison import COPIES, compare_document, compare_file, vector_files
from tests.vectors.not_compared import NOT_COMPARED, reason_not_to_compare
from tests.vectors.stated import StatedValues, count_given, note_missing, read_stated

Path_ = tuple[str | int, ...]
FILES = [path.stem for path in vector_files(COPIES)]


STEPS = Path(__file__).parent / "families" / "steps.py"


def document_of(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((COPIES / f"{name}.json").read_text(encoding="utf-8"))
    return document


def single(name: str, case: dict[str, Any]) -> dict[str, Any]:
    """The file with this case alone."""
    return {**{key: value for key, value in document_of(name).items() if key != "n"}, "cases": [case]}


def failures(name: str, document: dict[str, Any]) -> list[str]:
    return compare_document(name, document).failures


# Every expectation decides something


def leaves(content: Any, at: Path_ = ()) -> Iterator[Path_]:
    """Where the values of a case lie, of each list of values only the last."""
    if isinstance(content, dict):
        for key, value in content.items():
            yield from leaves(value, (*at, key))
    elif isinstance(content, list) and content:
        for index in range(len(content)) if isinstance(content[0], dict) else (len(content) - 1,):
            yield from leaves(content[index], (*at, index))
    elif at:
        yield at


def named(path: Path_) -> str:
    return ".".join(str(part) for part in path if isinstance(part, str))


def expectations(name: str) -> dict[str, tuple[dict[str, Any], Path_]]:
    """Each key of the file that holds an expectation, with the last case that has it: what lies under
    `expected...` and its like."""
    last = {named(path): (case, path) for case in document_of(name)["cases"] for path in leaves(case)}
    return {
        key: where
        for key, where in last.items()
        if key.startswith(EXPECTING.get(name, ("expected",))) and reason_not_to_compare(name, key) is None
    }


# Files whose expectations have other names than `expected...`.
EXPECTING: dict[str, tuple[str, ...]] = {
    "agreement_cluster": ("expected", "n_clusters"),
    "agreement_coefficients": ("expected", "published"),
    "alignment_curve_average": ("expected", "positionwise_with_none"),
    "alignment_curve_texts": ("expected", "full_mode_text"),
    "alignment_judge_reply_parsing": ("expected", "versions_agree"),
    "alignment_sbert": ("expected", "action_tokens_narrow"),
    "clinical_actions": ("expected", "patterns_agree"),
    "rubric_scoring": ("expected", "exact_score", "float_boundary", "document_and_code_agree"),
    "step_f1": ("expected", "pairs_before_dedupe", "alt_exclusive_greedy_f1", "semantics_diverge"),
    "step_f1_dice": ("dice",),
    "step_f1_normalise": ("normalised", "tokens"),
}


def changed(case: dict[str, Any], path: Path_) -> dict[str, Any]:
    case = copy.deepcopy(case)
    content: Any = case
    for part in path[:-1]:
        content = content[part]
    content[path[-1]] = another(content[path[-1]])
    return case


def another(value: Any) -> Any:
    """A value of the same kind; of a fraction written as a text another fraction."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + (2 if isinstance(value, int) else 0.0137)
    if isinstance(value, str):
        return "4/9" if value.replace("/", "").isdigit() else f"{value} else"
    return 0.123 if value is None else [*value, "else"]


# What is there counts, whatever its words: a reason, the name of an exception.
REASONS = ("undefined", "error", "exception")


@pytest.mark.parametrize("name", FILES)
def test_any_changed_expectation_is_a_failure_that_names_its_case(name: str) -> None:
    cases = {key: where for key, where in expectations(name).items() if not key.endswith(REASONS)}
    assert cases
    for key, (case, path) in cases.items():
        told = failures(name, single(name, changed(case, path)))
        assert told and all(failure.startswith(case["id"]) for failure in told), key


def every_place(name: str) -> dict[str, list[tuple[dict[str, Any], Path_]]]:
    """Each key of the file that holds an expectation, with every place where it lies."""
    places: dict[str, list[tuple[dict[str, Any], Path_]]] = {}
    for case in document_of(name)["cases"]:
        for path in leaves(case):
            places.setdefault(named(path), []).append((case, path))
    return {key: places[key] for key in expectations(name)}


def content_at(case: dict[str, Any], path: Path_) -> Any:
    content: Any = case
    for part in path[:-1]:
        content = content[part]
    return content


def failures_as_stated(name: str, case: dict[str, Any], before: dict[str, Any]) -> list[str]:
    """Of a case that was altered, where the file states what it was `before`."""
    whole, document = single(name, before), single(name, case)
    tally = compare_document(name, document)
    note_missing(
        tally, document, StatedValues(count_given(name, whole), compare_document(name, whole).compared)
    )
    return tally.failures


@pytest.mark.parametrize("name", FILES)
def test_any_removed_expectation_is_a_failure(name: str) -> None:
    """Each key, removed from a case that chance chooses."""
    chance = random.Random(name)
    for key, places in every_place(name).items():
        before, path = chance.choice(places)
        case = copy.deepcopy(before)
        del content_at(case, path)[path[-1]]
        assert failures_as_stated(name, before, before) == []
        assert failures_as_stated(name, case, before), (key, before["id"])


@pytest.mark.parametrize("name", FILES)
def test_any_added_expectation_is_a_failure(name: str) -> None:
    """Each key, once more with another name beside it, and where it is one of several in a list, once more."""
    chance = random.Random(name)
    for key, places in every_place(name).items():
        before, path = chance.choice(places)
        case = copy.deepcopy(before)
        content = content_at(case, path)
        value = copy.deepcopy(content[path[-1]])
        if isinstance(content, list):
            content.append(value)
        else:
            content[f"{path[-1]}_too"] = value
        assert failures_as_stated(name, case, before), (key, before["id"])


@pytest.mark.parametrize("name", FILES)
def test_a_file_states_how_many_values_it_gives_and_a_case_less_or_more_is_a_failure(name: str) -> None:
    document, stated = document_of(name), read_stated()[name]
    assert count_given(name, document) == stated.given
    for cases in (document["cases"][1:], [*document["cases"], document["cases"][0]]):
        assert count_given(name, {**document, "cases": cases}) != stated.given


def test_every_file_is_stated_and_no_other() -> None:
    assert list(read_stated()) == FILES


@pytest.mark.parametrize("name", FILES)
def test_a_key_that_nothing_compares_is_a_failure_by_its_name(name: str) -> None:
    case = copy.deepcopy(document_of(name)["cases"][0])
    case["something_new"] = 0.5
    assert failures(name, single(name, case)) == [
        f"{case['id']}: something_new is given, and nothing compares it"
    ]
    document = single(name, document_of(name)["cases"][0])
    document["something_new"] = {"inside": 1}
    assert failures(name, document) == ["document.something_new.inside is given, and nothing compares it"]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("agreement_safety_diagnostics", ("expected", "specificity", "agresti_coull")),
        ("agreement_paired_tests", ("expected", "mid_p_continuity")),
        ("agreement_paired_tests", ("expected", "chi2", "df_corrected")),
        ("agreement_cluster", ("expected", "ac1", "bca")),
        ("agreement_sample_size", ("expected", "n_total_adjusted")),
        ("agreement_icc", ("expected", "ICC4")),
        ("agreement_multiplicity", ("expected", "hochberg", "adjusted")),
        ("rubric_scoring", ("expected_code", "rank")),
        ("alignment_experiment", ("expected_strict_v1", "median")),
        ("agreement_alttest", ("options", "two_sided")),
    ],
)
def test_so_is_one_that_lies_deeper(name: str, path: tuple[str, ...]) -> None:
    case = copy.deepcopy(document_of(name)["cases"][0])
    content = case
    for part in path[:-1]:
        content = content.setdefault(part, {})
    content[path[-1]] = [0.1, 0.9]
    assert failures(name, single(name, case)) == [
        f"{case['id']}: {'.'.join(path)} is given, and nothing compares it"
    ]


def test_what_is_not_compared_has_its_reason_and_occurs() -> None:
    """No entry of the list stands for nothing, and none is wide enough to swallow what is expected."""
    given = [
        (name, named(path)) for name in FILES for case in document_of(name)["cases"] for path in leaves(case)
    ]
    given += [
        (name, f"document.{named(path)}")
        for name in FILES
        for path in leaves({key: value for key, value in document_of(name).items() if key != "cases"})
    ]
    for entry in NOT_COMPARED:
        assert entry.reason and any(entry.covers(name, path) for name, path in given), entry
    assert reason_not_to_compare("agreement_coefficients", "expected.ac1.undefined") is None
    assert reason_not_to_compare("agreement_coefficients", "ratings") is None
    assert reason_not_to_compare("agreement_coefficients", "document.ratings")


# A crash is the case's failure


def test_a_crash_is_the_failure_of_its_case_and_the_others_are_compared() -> None:
    document = document_of("step_f1_dice")
    document["cases"][1] = {"id": "no_texts", "dice": 0.5}
    document["cases"][2] = "no object"
    tally = compare_document("step_f1_dice", document)
    line = next(
        number for number, text in enumerate(STEPS.read_text().splitlines(), 1) if 'case["a"]' in text
    )
    assert tally.failures == [
        f"no_texts: KeyError: 'a' (steps.py, line {line})",
        "case 2: expected an object, found str",
    ]
    assert tally.compared == len(document["cases"]) - 2 + 1  # and how many there are


def test_a_case_in_which_nothing_is_compared_is_a_failure() -> None:
    assert failures("agreement_drift", {"cases": [{"id": "bare", "series": [0.1, 0.2], "expected": {}}]})
    assert failures(
        "agreement_cluster", {"cases": [{"categories": ["a", "b"], "ratings": [["a", "b"]], "expected": {}}]}
    ) == ["case 0: nothing was compared"]


# Files and the command


def test_an_unknown_file_one_without_cases_and_one_that_cannot_be_read_fail(tmp_path: Path) -> None:
    for name, text, says in (
        ("something_new", '{"cases": [{"id": "x"}]}', "nothing in the product answers to something_new.json"),
        ("step_f1", '{"cases": []}', "step_f1.json has no cases"),
        ("step_f1", "[1]", "step_f1.json has no cases"),
        ("step_f1", '{"cases": [', "step_f1.json cannot be read: Expecting value"),
    ):
        path = tmp_path / f"{name}.json"
        path.write_text(text)
        assert [failure.startswith(says) for failure in compare_file(path).failures] == [True], text


def test_the_number_of_cases_that_a_file_gives_is_compared() -> None:
    document = document_of("bias_mention")
    assert failures("bias_mention", {**document, "n": document["n"] + 1}) == ["document.n: 2, expected 3"]


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no vector files"):
        vector_files(tmp_path)


def test_the_command_prints_what_it_compared_and_fails_where_one_value_differs(tmp_path: Path) -> None:
    """The one test that starts a pytest of its own."""
    document = document_of("step_f1_dice")
    (tmp_path / "step_f1_dice.json").write_text(json.dumps(document), encoding="utf-8")
    wrong = document_of("bias_mention")
    wrong["cases"][0]["expected"] = not wrong["cases"][0]["expected"]
    (tmp_path / "bias_mention.json").write_text(json.dumps(wrong), encoding="utf-8")
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/vectors/test_reference.py", "--vectors", str(tmp_path)],
        cwd=ROOT.parent,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert process.returncode == 1
    cases = len(document["cases"])
    assert f"step_f1_dice: {cases} cases, {cases + 1} compared values, 0 failures" in process.stdout
    assert f"2 files, {cases + 4} compared values, 1 failures" in process.stdout
    assert wrong["cases"][0]["id"] in process.stdout
