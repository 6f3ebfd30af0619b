"""Files of other tools that leave something open, or hold more than a study has a place for."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from configs.files.yaml_files import ConfigFileError, parse_model
from data.importers.file_sample import FileSample
from data.importers.kinds.conversations import ConversationFiles
from data.importers.profiles import profile as profiles_of_folder
from data.importers.profiles.profile import Profile, profiles
from data.importers.recognition import recognise_here
from data.importers.report import ImportRefused
from data.record import studies
from data.record.studies import Study
from data.store.errors import StoreError
from data.store.store import Store
from tests.studies.tool_files import (
    FORMS,
    ROOT,
    TALKS,
    bring,
    rows_of,
    stored,
    tool_of,
)


def _changed(tmp_path: Path, file: str, *pairs: tuple[str, str]) -> Path:
    text = (FORMS / file).read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / Path(file).name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("file", "pairs", "answers", "sentence"),
    [
        (
            "langfuse/scores_export.jsonl",
            (('"source": "EVAL"', '"source": "API"'),),
            {"judge": "Our judge"},
            "the file says 'API' about who gave this label, which may be people or a judge. Say which",
        ),
        (
            "langsmith/feedback.jsonl",
            (('"type":"app"', '"type":null'),),
            {},
            "the file says 'nothing' about who gave this label",
        ),
        (
            "langfuse/scores_export.jsonl",
            (('"authorUserId": "Dr A"', '"authorUserId": null'),),
            {},
            "a person's label does not say who gave it",
        ),
        (
            "langfuse/scores_export.jsonl",
            (('"authorUserId": "Dr A"', '"authorUserId": "gpt-5"'),),
            {},
            "'gpt-5' gave a label as a person, but looks like a model",
        ),
        ("promptfoo/output.json", (), {}, "the file does not name the judge; name it, "),
        (
            "redcap/data_raw_repeating.csv",
            (),
            {},
            "'9' is not a label of CQ9; it has YES, NO, NA. Say what it means, ",
        ),
        (
            "label_studio/export.json",
            (('"origin": "manual"', '"origin": "prediction"'),),
            {},
            "the file says that 48 labels of people rest on a label of the judge",
        ),
        (
            "hf_datasets/datasets_server_rows.json",
            (('"truncated_cells": []', '"truncated_cells": ["messages"]'),),
            {},
            "the server cut long cells of this row",
        ),
        (
            "label_studio/json_min/result.json",
            (('"id": 2', '"id": 1'), ('"conversation_id": "c2"', '"conversation_id": "c1"')),
            {},
            "the conversation 'c1' has other words than on an earlier line",
        ),
        (
            "argilla/records.json",
            (('"role": "assistant"', '"role": "Mia"'),),
            {},
            "message 2 is spoken by 'Mia'; say who is the assistant",
        ),
    ],
)
def test_what_the_file_leaves_open_is_asked(
    store: Store,
    talked_study: Study,
    tmp_path: Path,
    file: str,
    pairs: tuple[tuple[str, str], ...],
    answers: dict[str, Any],
    sentence: str,
) -> None:
    before = stored(store)
    with pytest.raises(ImportRefused) as refused:
        bring(store, _changed(tmp_path, file, *pairs), **answers)
    assert any(sentence in line for line in refused.value.report.lines()), refused.value.report.lines()
    assert stored(store) == before


@pytest.mark.parametrize("answers", [{"exposure": None}, {"source": " "}])
def test_labels_of_people_need_to_say_what_they_had_seen(
    store: Store, talked_study: Study, answers: dict[str, Any]
) -> None:
    before = stored(store)
    with pytest.raises(StoreError, match="exposure_missing"):
        bring(store, FORMS / "mlflow" / "traces_with_assessments.jsonl", **answers)
    assert stored(store) == before


def test_an_answer_settles_what_was_open(store: Store, tmp_path: Path) -> None:
    bring(store, FORMS / "langfuse/traces_export.jsonl")
    path = _changed(tmp_path, "langfuse/scores_export.jsonl", ('"source": "EVAL"', '"source": "API"'))
    report = bring(store, path, givers=("API=judges",))
    assert (report.added["ratings"], report.added["judgements"]) == (48, 24)
    other = _changed(tmp_path, "argilla/records.json", ('"role": "assistant"', '"role": "Mia"'))
    again = bring(store, other, assistant=("Mia",))
    assert again.added["conversations"] == 6
    assert stored(store).words["c5"][1] == ["assistant", "Go to bed earlier."]


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"labels": ("9",)}, "--label '9': write a word and what it means, such as 9=NA."),
        ({"givers": ("API=machines",)}, "--giver API=machines: say people or judges."),
        ({"tool": "nobody"}, "There is no profile 'nobody'; there are alpaca"),
    ],
)
def test_an_answer_that_cannot_be_read_is_refused(
    store: Store, answers: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(StoreError) as refused:
        bring(store, FORMS / "promptfoo/output.json", **answers)
    assert str(refused.value).startswith(sentence)


def test_a_word_of_a_judge_may_mean_that_it_failed(store: Store) -> None:
    report = bring(store, FORMS / "inspect/coaching_audit.json", labels=("-1=failure",))
    assert (report.added["judgements"], report.added["failed judge calls"]) == (19, 5)


def test_what_is_left_out_is_counted_by_name(store: Store) -> None:
    report = bring(store, FORMS / "label_studio/export.json")
    assert report.lines() == ["export.json: left out: 26 results other than choices (spans, texts, stars)"]
    report = bring(store, FORMS / "label_studio/json_min/result.json")
    assert "left out: 12 labels of 'overall', 12 labels of 'why', 2 labels of 'span'" in report.lines()[0]
    assert "has no such criterion" in report.lines()[0]


def test_the_file_of_an_alternative_annotator_test_is_read(
    store: Store, talked_study: Study, tmp_path: Path
) -> None:
    path = tmp_path / "CQ9.json"
    people = {"Dr A": {"c1": "NA", "c2": "NO"}, "Dr B": {"c2": "NO"}}
    path.write_text(json.dumps({"humans": people, "llm": {"c1": "NA", "c2": "YES"}}))
    bring(store, path, judge="Our judge")
    brought = stored(store)
    assert brought.ratings == {
        ("c1", "Dr A", "CQ9"): "NA",
        ("c2", "Dr A", "CQ9"): "NO",
        ("c2", "Dr B", "CQ9"): "NO",
    }
    assert brought.judgements == {("c1", "Our judge", "CQ9"): "NA", ("c2", "Our judge", "CQ9"): "YES"}
    other = tmp_path / "labels.json"
    other.write_text(path.read_text())
    with pytest.raises(ImportRefused) as refused:
        bring(store, other, judge="Our judge")
    assert any("the file does not name the criterion" in line for line in refused.value.report.lines())


@pytest.mark.parametrize(
    ("file", "number"),
    [
        ("anthropic/messages.jsonl", 6),
        ("openai/finetune_chat.jsonl", 6),
        ("openai/finetune_developer_role.jsonl", 1),
        ("openai/finetune_tools.jsonl", 1),
        ("anthropic/messages_tool_use.jsonl", 1),
    ],
)
def test_plain_conversations_stay_with_their_importer(store: Store, file: str, number: int) -> None:
    importer = recognise_here(FORMS / file).importer
    assert importer is not None and importer.name == "conversations"
    assert bring(store, FORMS / file).added["conversations"] == number


def test_a_tool_result_that_anthropic_writes_as_the_users_is_no_turn(store: Store) -> None:
    bring(store, FORMS / "anthropic/messages_tool_use.jsonl")
    assert [role for role, _ in stored(store).words["t1"]] == ["user", "assistant", "assistant"]
    assert "[tool result: Tuesday 10:00]" in stored(store).words["t1"][1][1]


SPANS: list[tuple[str, dict[str, Any], str]] = [
    (
        "gemini",
        {
            "contents": [
                {"role": "user", "parts": [{"text": "Hi"}]},
                {
                    "role": "model",
                    "parts": [{"functionCall": {"name": "look", "args": {"day": 1}}}, {"text": "Hello"}],
                },
            ]
        },
        '[tool call: look {"day": 1}]\nHello',
    ),
    (
        "otel_genai",
        {
            "context": {"span_id": "0x1"},
            "attributes": {
                "gen_ai.operation.name": "chat",
                "gen_ai.input.messages": json.dumps(
                    [{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}]
                ),
                "gen_ai.output.messages": json.dumps(
                    [
                        {
                            "role": "assistant",
                            "parts": [
                                {"type": "tool_call", "name": "look", "arguments": {"day": 1}},
                                {"type": "text", "content": "Hello"},
                            ],
                        }
                    ]
                ),
            },
        },
        '[tool call: look {"day": 1}]\nHello',
    ),
    (
        "openinference",
        {
            "context": {"span_id": "0x1"},
            "attributes": {
                "openinference.span.kind": "LLM",
                "llm.input_messages.0.message.role": "user",
                "llm.input_messages.0.message.content": "Hi",
                "llm.output_messages.0.message.role": "assistant",
                "llm.output_messages.0.message.content": "Hello",
                "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "look",
                "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"day": 1}',
            },
        },
        'Hello\n[tool call: look {"day": 1}]',
    ),
    (
        "openai_responses",
        {
            "object": "response",
            "id": "r1",
            "input": "Hi",
            "output": [
                {"type": "function_call", "name": "look", "arguments": '{"day": 1}'},
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "Hello"}],
                },
            ],
        },
        '[tool call: look {"day": 1}]',
    ),
]


@pytest.mark.parametrize(("tool", "value", "reply"), SPANS, ids=[tool for tool, _, _ in SPANS])
def test_a_tool_call_is_shown_as_what_it_is(
    store: Store, tmp_path: Path, tool: str, value: dict[str, Any], reply: str
) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(value))
    assert tool_of(path) == tool
    bring(store, path)
    (words,) = stored(store).words.values()
    assert words[0] == ["user", "Hi"] and words[1] == ["assistant", reply]


def test_a_run_of_inspect_that_failed_says_so(store: Store) -> None:
    with pytest.raises(ImportRefused) as refused:
        bring(store, FORMS / "inspect/failed_run/status_error.eval")
    told = " ".join(refused.value.report.lines())
    assert "the run did not end with success" in told and "2 samples that failed" in told


def test_a_table_is_read_with_any_separator_and_from_a_workbook(
    store: Store, talked_study: Study, tmp_path: Path
) -> None:
    import openpyxl

    rows = list(csv.reader(io.StringIO((FORMS / "redcap/data_labels_repeating.csv").read_text())))
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "redcap.xlsx")
    assert bring(store, tmp_path / "redcap.xlsx").added["ratings"] == 48


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "title: a tool\nwhen: 'a ['\nconversation: {messages: m}\n",
            "line 2, field when: expected a JMESPath",
        ),
        ("title: a tool\nwhen: a\n", "give conversation or labels"),
        ("title: a tool\nconversation: {messages: m}\n", "give columns or when"),
        (
            "title: a tool\nwhen: a\nlabels: [{each: a, label: b}]\n",
            "give either by (people or judges), or giver",
        ),
        (
            "title: a tool\nwhen: a\nconversation: {messages: m, roles: {x: coach}}\n",
            "field conversation.roles.x",
        ),
        ("title: a tool\nwhen: a\nconversation: {message: m}\n", "field conversation.message"),
    ],
)
def test_a_profile_with_an_error_says_where(text: str, sentence: str) -> None:
    with pytest.raises(ConfigFileError) as refused:
        parse_model(text, Profile, "mine.yaml")
    assert "mine.yaml" in str(refused.value) and any(
        sentence in problem for problem in refused.value.problems
    )


def test_another_persons_profile_needs_no_code(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = (ROOT / "docs" / "add_import_profile.md").read_text().split("```yaml\n")[1].split("```")[0]
    (tmp_path / "arena.yaml").write_text(example)
    (tmp_path / "broken.yaml").write_text("title: [\n")
    monkeypatch.setattr(profiles_of_folder, "FOLDER", tmp_path)
    turns = [{"speaker": "visitor", "words": "Hi"}, {"speaker": "bot", "words": "Hello"}]
    votes = [
        {"source": "human", "voter": "Ann", "question": "CQ1", "answer": "up"},
        {"source": "llm", "model": "gpt-5", "question": "CQ1", "answer": "down"},
    ]
    path = tmp_path / "arena.jsonl"
    path.write_text(json.dumps({"battle_id": "b1", "turns": turns, "votes": votes, "deleted_votes": [1]}))
    recognition = recognise_here(path)
    assert recognition.title == "Recognised: votes of Chat Arena, 1 record."
    answers = {"exposure": "blind", "source": "the protocol", "same_person": "none", "actor": "tests"}
    assert recognition.importer is not None
    assert recognition.importer.first_conversation(path, recognition.sample, answers)[0] == ("user", "Hi")
    rows, report = rows_of(path, _study(store), "arena")
    assert [row["label"] for part in ("ratings", "judgements") for row in rows[part]] == ["YES", "NO"]
    assert report.lines() == ["arena.jsonl: left out: 1 deleted vote"]


def _study(store: Store) -> Study:
    bring(store, FORMS / TALKS, ConversationFiles())
    with store.reading() as connection:
        return studies.get_by_key(connection, "s")


def test_every_profile_is_usable_short_and_in_the_docs() -> None:
    assert profiles_of_folder.profile_problems() == ()
    page = (ROOT / "docs" / "reference_files.md").read_text()
    for name, profile in profiles().items():
        text = (profiles_of_folder.FOLDER / f"{name}.yaml").read_text()
        assert len(text.splitlines()) <= 40, name
        assert f"| {profile.title} |" in page and f"| {profile.lacks} |" in page, name


def test_no_profile_claims_a_file_of_our_own(tmp_path: Path) -> None:
    files = [*(ROOT / "data" / "samples").rglob("*.json*"), *(ROOT / "data" / "samples").rglob("*.csv")]
    assert len(files) > 10
    for path in files:
        importer = recognise_here(path).importer
        assert importer is None or importer.name != "tool", path


def test_a_sample_without_rows_fits_no_profile() -> None:
    assert profiles_of_folder.fitting(FileSample("empty.json")) == []
