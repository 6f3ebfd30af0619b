"""The judges report of a study whose labels are planted: counts, shares, changes and comments are those that
were written into it.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from data.labels import reasoning_comments
from data.record import adoptions, judgements
from data.record.judgements import Judge, JudgeIdentity
from data.store.store import Store
from data.work import answers_to_judges
from reports.document import Paragraph, Table, UnitLink
from reports.judges.identity_table import identity_table
from reports.judges.judge_pair import _answer, compare_pair, latest_pair
from reports.kinds import KINDS, ReportChoices
from scoring.agreement.judges.right_or_wrong import RightOrWrong
from tests.studies import degenerate, small_study
from tests.studies.small_study import Small

STERN = JudgeIdentity("Stern", "gemini", "stern-1", "prompt 2", "small 1", {"temperature": 0.5})
EVIL = "=1+1<img src=x onerror=alert(1)>"


@pytest.fixture
def stern(small: Small) -> Small:
    """Beside A and B, who say YES, a third judge: NO to Warm in c3 and c4 and to Deep wherever it is asked,
    and a reply on Safe of c4 that was cut off. Ann and Ben say YES to everything. Ann comments on it.
    """
    verdicts = [(f"c{n}", "warm", "NO" if n > 2 else "YES") for n in (1, 2, 3, 4)]
    verdicts += [(f"c{n}", "safe", "YES") for n in (1, 2, 3)]
    verdicts += [(f"c{n}", "deep", "NO") for n in (2, 3, 4)]
    rows: list[dict[str, Any]] = [
        {"conversation_id": conversation, "criterion": criterion, "label": label, "reasoning": "why"}
        for conversation, criterion, label in verdicts
    ]
    degenerate.say(
        small, STERN, [*rows, {"conversation_id": "c4", "criterion": "safe", "status": "truncated"}]
    )
    for number in (0, 1):
        for position in (1, 2, 3, 4):
            small.desk(number).rate(position)
    desk = small.desk()
    desk.reveal(3)
    with small.store.writing("tests", "comment on reasoning", small.study.id) as (connection, entry):
        judge = judgements.judges(connection, small.study.id)[-1].id
        unit = desk.unit(3)
        answers_to_judges.respond(
            connection, entry, unit, desk.rater, "00001000", judge, "warm", "reasoning", "partly"
        )
        reasoning_comments.write(connection, entry, unit, desk.rater, "00002000", judge, "warm", EVIL)
    return small


def written(small: Small, names: bool = False) -> dict[str, bytes]:
    with small.store.reading() as connection:
        return KINDS["judges"].write_files(connection, small.study, ReportChoices(names=names))


def rows_of(contents: dict[str, bytes], name: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(contents[f"tables/{name}.csv"].decode(), newline="")))


def words_of(contents: dict[str, bytes]) -> dict[str, list[str]]:
    """Section -> its sentences."""
    return {
        section["key"]: [block["text"] for block in section["blocks"] if block["kind"] == "paragraph"]
        for section in json.loads(contents["report.json"])["sections"]
    }


def test_a_card_has_the_identity_the_labels_and_the_failures(stern: Small) -> None:
    contents = written(stern)
    assert dict(rows_of(contents, "identity_3")[1:]) == {
        "Provider": "gemini",
        "Model asked for": "stern-1",
        "Prompt, version and hash": "prompt 2",
        "Instrument": "small 1",
        "How replies are read": "imported",
        "temperature": "0.5",
    }
    header, *rows = rows_of(contents, "labels_3")
    assert header[:2] == ["Criterion", "Labels"] and len(header) == 3
    assert rows == [["warm Warm", "4", "0"], ["safe Safe", "3", "1"], ["deep Deep", "3", "0"]]
    words = words_of(contents)
    assert words["judge_3"][-1] == "This judge's labels were imported, so its calls are unknown."
    assert words["judge_3"][0] == "Not in use in this study."
    assert words["judge_3"][1].startswith("Failures are rarely random")
    assert words["judge_3_repeats"][0].startswith("Not measured")
    titles = [section["title"] for section in json.loads(contents["report.json"])["sections"]]
    assert titles[-6:] == [
        "Stern, stern-1",
        "Stern, stern-1: Does it give the same label when asked again?",
        "Stern, stern-1: Do clinicians agree with it?",
        "Stern, stern-1: What clinicians wrote about its reasons",
        "Two judges compared",
        "All judges on the same labels",
    ]


def test_agreement_is_that_of_blind_labels(stern: Small) -> None:
    """Of two people each: four on Warm, two of them YES; three on Safe, all YES; three on Deep, none."""
    (sentence,) = words_of(written(stern))["judge_3_agreement"]
    assert sentence.startswith("10 of the clinicians' 20 blind labels are the same as this judge's: 50% (")


def test_the_last_two_judges_are_compared(stern: Small) -> None:
    contents = written(stern)
    assert rows_of(contents, "changed_labels")[1:] == [
        ["Warm", "4", "2", "0", "2", "0", "0.500"],
        ["Safe", "2", "2", "0", "0", "0", "no change of direction"],
        ["Deep", "3", "0", "0", "3", "0", "0.250"],
    ]
    words = words_of(contents)["pair"]
    assert words[0] == "From Judge B, unknown model (judge 2) to Stern, stern-1 (judge 3)."
    assert words[1] == (
        "Judge B agrees with the clinicians on 9 of 9 labels, Stern on 4. The difference could be chance."
    )
    assert "Only Judge B is right on 5, only Stern on 0. Of the conversations or people, Judge B" in words[2]
    assert rows_of(contents, "differences")[1:] == [
        ["Conversation 2", "c2", "Deep", "Yes", "No"],
        ["Conversation 3", "c3", "Deep", "Yes", "No"],
        ["Conversation 4", "c4", "Deep", "Yes", "No"],
        ["Conversation 3", "c3", "Warm", "Yes", "No"],
        ["Conversation 4", "c4", "Warm", "Yes", "No"],
    ]


def test_a_page_lists_the_first_differences_and_the_file_all(stern: Small) -> None:
    with stern.store.reading() as connection:
        judges = judgements.judges(connection, stern.study.id)
        first, second = (judges[place] for place in latest_pair(judges))
        *_, whole = compare_pair(connection, stern.study, first, second)
        *_, cut = compare_pair(connection, stern.study, first, second, most=2)
        *_, none = compare_pair(connection, stern.study, judges[0], first)
    assert isinstance(whole, Table) and isinstance(cut, Table)
    assert (whole.caption, len(whole.rows)) == ("Where they differ: 5", 5)
    assert cut.caption == "Where they differ: 5, the first 2 listed"
    assert list(cut.rows) == list(whole.rows)[:2] and cut.rows[0][0] == UnitLink(2, "deep")
    assert not isinstance(none, Table)


def test_all_judges_stand_beside_each_other(stern: Small) -> None:
    contents = written(stern)
    assert rows_of(contents, "all_judges")[1:] == [
        ["Judge A (judge 1)", "9", "9", "100%"],
        ["Judge B (judge 2)", "9", "9", "100%"],
        ["Stern (judge 3)", "4", "9", "44%"],
    ]
    (sentence,) = words_of(contents)["all"]
    assert (
        "(Cochran's Q 10.0; permutation test that shuffles the judges' answers within each of 4 conversations)."
        in sentence
    )


def test_a_comment_stands_under_the_code_of_whoever_wrote_it_as_text(stern: Small) -> None:
    contents = written(stern)
    assert rows_of(contents, "comments_3_1")[1:] == [
        ["Conversation 3", "c3", stern.codes[0], "partly", f"'{EVIL}"]
    ]
    assert "tables/comments_1_1.csv" not in contents
    assert b"<img" not in contents["report.html"]
    assert not [name for name, content in contents.items() if b"Ann" in content or b"Ben" in content]


def test_the_same_store_gives_the_same_bytes_and_names_change_nothing(stern: Small) -> None:
    assert written(stern) == written(stern) == written(stern, names=True)


def test_the_judge_in_use_is_named_as_that(stern: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    words = words_of(written(stern))
    assert [words[f"judge_{number}"][0] for number in (1, 2, 3)] == [
        "In use in this study.",
        "Not in use in this study.",
        "Not in use in this study.",
    ]
    monkeypatch.setattr(adoptions, "active_judge", lambda connection, study_id: 2)
    words = words_of(written(stern))
    assert [words[f"judge_{number}"][0] for number in (1, 2, 3)] == [
        "Not in use in this study.",
        "In use in this study.",
        "Not in use in this study.",
    ]


def test_one_judge_is_compared_with_nobody(store: Store, tmp_path: Path) -> None:
    small = small_study.make(store, tmp_path, with_judges=False)
    degenerate.say(small, STERN, degenerate.every(label="YES"))
    assert [key for key in words_of(written(small)) if key in ("pair", "all")] == []


def test_a_study_without_judges_says_so(store: Store, tmp_path: Path) -> None:
    contents = written(small_study.make(store, tmp_path, with_judges=False))
    assert list(words_of(contents)) == ["nothing"]
    assert words_of(contents)["nothing"][0].startswith("No judge has labelled anything in this study yet.")
    assert set(contents) == {"report.html", "report.json"}


def test_safety_settings_stand_in_one_row(stern: Small) -> None:
    with stern.store.reading() as connection:
        judge = judgements.judges(connection, stern.study.id)[-1]
    judge.identity["parameters"] = {"safety_settings": {"HARM_CATEGORY_DANGEROUS_CONTENT": "OFF"}}
    assert identity_table(judge, "identity").rows[-1] == ("safety settings", "dangerous content OFF")


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        (
            (5, 3, 1, 0, 3, 1, 0.6),
            "A agrees with the clinicians on 8 of 9 labels, B on 6. The difference could be",
        ),
        (
            (5, 1, 9, 0, 0, 9, 0.004),
            "B agrees with the clinicians on 14 of 15 labels, A on 6. The difference is unlikely",
        ),
        # More labels for B, all in one conversation, more conversations for A: the test does not speak for B.
        (
            (0, 8, 9, 0, 8, 1, 0.04),
            "B agrees with the clinicians on 9 of 17 labels, A on 8. The difference could be",
        ),
        ((4, 2, 2, 0, 1, 1, 1.0), "Both judges agree with the clinicians on 6 of 8 labels."),
        ((0, 0, 0, 0, 0, 0, None), "It is too early to say which judge is right more often"),
    ],
)
def test_the_comparison_begins_with_which_judge_is_better(
    counts: tuple[int, int, int, int, int, int, float | None], sentence: str
) -> None:
    first = next(iter(_answer("A", "B", RightOrWrong(*counts))))
    assert isinstance(first, Paragraph) and first.text.startswith(sentence)


@pytest.mark.parametrize(
    ("identity", "title"),
    [
        ({"model": "j"}, "j"),
        ({"model": "gpt"}, "j, gpt"),
        ({"model": "unknown"}, "j, unknown model"),
        ({}, "j, unknown model"),
    ],
)
def test_a_judge_and_its_model_are_named_once(identity: dict[str, str], title: str) -> None:
    assert Judge(1, "j", identity).title == title
