"""A study leaves one store and comes into another: the same rows, results and order, and nothing altered on the
way counts as blind.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from cli import main
from configs.settings import ROOT
from data import schema
from data.importers import study_folder, transactions
from data.importers.bundle_check import CLAIMS
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.record import judgements, ledger, studies
from data.record.judgements import JudgeIdentity
from data.record.rater_codes import read_rater_codes
from data.record.study_bundle import TABLES
from data.store.errors import Refused
from data.store.store import Store, open_store
from data.store.trail import START, canonical, entry_hash
from reports.agreement.rating_table import write_rating_table
from reports.kinds import KINDS, ReportChoices
from reports.refusals import word_error
from tests.studies import small_study
from tests.studies.bundles import bring, plain_rows, read_rows, write_bundle, write_rows
from tests.studies.small_study import REASONED, SAID, Small

SAMPLES = ("coaching_example", "coaching_demo", "plan_demo", "lend_an_ear", "vera_mh", "judge_change")


@pytest.fixture
def worked(make_study: Callable[..., Small]) -> Small:
    """Two raters: ratings, a reveal, an override with a reason, a unit left for later, and an erased
    conversation. A second study has other words and people.
    """
    small = make_study(conversation_count=6)
    ann, ben = small.desk(0), small.desk(1)
    for position in (1, 2, 3):
        ann.rate(position)
        ben.rate(position, "NO")
    ann.reveal(2)
    ann.change(2, "warm", "NO", reason="the second reply is cold")
    ann.rate(4)
    ann.skip(5)
    ben.draft(5, "warm", note="to be thought over")
    with small.store.writing("Dr. Elsewhere", "erase conversation", small.study.id) as (connection, entry):
        erase_conversation(connection, entry, small.study, "c6", "asked for")
    make_study(key="second", raters=("Zora", "Yannick"), title="Secret second", conversation_count=2)
    return small


@pytest.fixture
def folder(worked: Small, tmp_path: Path) -> Path:
    """The bundle of the worked study, as a folder."""
    path = tmp_path / "bundle"
    write_bundle(worked.store, "small", path)
    return path


def problems(store: Store) -> list[str]:
    with store.reading() as connection:
        return verify(connection).problems


def counts(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        return {
            name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in schema.metadata.tables.items()
        }


def exposures(store: Store) -> set[str]:
    with store.reading() as connection:
        return set(connection.execute(select(schema.rating.c.exposure)).scalars())


def rating_table(store: Store, key: str, path: Path) -> list[dict[str, Any]]:
    """The rows of `export table`; codes of raters, which another store draws anew, are names here."""
    with store.reading() as connection:
        study = studies.get_by_key(connection, key)
        write_rating_table(connection, study, path)
        codes = read_rater_codes(connection, study)
        names = {codes[rater.id]: rater.name for rater in studies.raters(connection, study.id)}
        moments = set(connection.execute(select(schema.trail.c.at)).scalars())
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["rater"] = names.get(row["rater"], row["rater"])
        if row["source"] in ("import", "imported") and row["time"] in moments:
            row["time"] = row["final_time"] = None  # of the import: no day is known
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


def numbers_of(store: Store, key: str) -> list[str]:
    """Every cell of the report of agreement, sorted: another store draws the raters' order anew."""

    def cells(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            for name, value in part.items():
                yield from () if name in ("hinge", "labels_sha256") else cells(value)  # an id, and of ids
        elif isinstance(part, list):
            for value in part:
                yield from cells(value)
        else:
            yield " ".join(sorted(str(part).split()))

    with store.reading() as connection:
        study = studies.get_by_key(connection, key)
        files = KINDS["agreement"].write_files(connection, study, ReportChoices(names=True))
    return sorted(cells(json.loads(files["report.json"])))


def assert_round_trip(store: Store, key: str, other: Store, tmp_path: Path) -> None:
    """Rows, table and results are the same after the way there, as a file and as a folder."""
    first, second = tmp_path / f"{key}-1", tmp_path / f"{key}-2"
    write_bundle(store, key, first)
    write_bundle(store, key, tmp_path / f"{key}.sqlite")
    report = bring(other, tmp_path / f"{key}.sqlite")
    assert report.detail["verifies"], report.lines()
    assert problems(other) == []
    write_bundle(other, key, second)
    before, after = plain_rows(first), plain_rows(second)
    for table in before:
        assert before[table] == after[table], table


@pytest.mark.slow
@pytest.mark.parametrize("key", SAMPLES)
def test_a_sample_is_the_same_in_another_store(key: str, store: Store, other: Store, tmp_path: Path) -> None:
    folder = ROOT.parent / "data" / "samples" / key
    assert (
        study_folder.add_study(store, folder, ROOT / "instruments", ROOT / "taxonomies", "tests") is not None
    )
    assert_round_trip(store, key, other, tmp_path)
    tables = [rating_table(each, key, tmp_path / f"{n}.jsonl") for n, each in enumerate((store, other))]
    assert tables[0] == tables[1] and tables[0]
    first, second = (numbers_of(each, key) for each in (store, other))
    assert first == second and len(first) > 100


def test_worked_study_is_the_same_in_another_store(worked: Small, other: Store, tmp_path: Path) -> None:
    assert_round_trip(worked.store, "small", other, tmp_path)
    tables = [
        rating_table(each, "small", tmp_path / f"{n}.jsonl") for n, each in enumerate((worked.store, other))
    ]
    assert tables[0] == tables[1]
    assert {row["exposure"] for row in tables[0] if row["rater"]} == {"blind"}
    assert "judge_visible" in {row["final_exposure"] for row in tables[0]}


@pytest.mark.slow
def test_planned_study_is_the_same_in_another_store(full: Small, other: Store, tmp_path: Path) -> None:
    """With gold units, a certification, conflicts and a calibration round that was rated twice."""
    assert_round_trip(full.store, "planned", other, tmp_path)


@pytest.mark.slow
def test_ids_are_right_where_others_save_while_the_bundle_is_read(
    full: Small, other: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are staged with the next ids of that moment, which somebody else takes before they are inserted."""
    here = small_study.make(other, tmp_path, key="busy")
    insert = transactions._insert

    def insert_later(*args: Any) -> int | None:
        with other.writing("lead", "add rater", here.study.id) as (connection, entry):
            studies.add_rater(connection, entry, here.study.id, "Late")
        here.desk(0).rate(2)
        return insert(*args)

    monkeypatch.setattr(transactions, "_insert", insert_later)
    assert_round_trip(full.store, "planned", other, tmp_path)
    assert counts(other)["rater"] == 6


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["rate", "skip", "draft", "reveal", "change"]),
        st.integers(0, 1),
        st.integers(1, 4),
        st.sampled_from(["YES", "NO"]),
    ),
    max_size=14,
)


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=ACTIONS, erased=st.sampled_from([None, "c2", "c4"]))
def test_any_study_is_the_same_in_another_store(
    actions: list[tuple[str, int, int, str]],
    erased: str | None,
    copy_study: Callable[..., Small],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("any")
    store, other = (open_store(f"sqlite:///{folder / name}.sqlite") for name in ("one", "two"))
    try:
        small = small_study.make(store, folder)
        for action, rater, position, label in actions:
            desk = small.desk(rater)
            try:
                if action == "rate":
                    desk.rate(position, label)
                elif action == "draft":
                    desk.draft(position, "warm", label, note="a thought")
                elif action == "change":
                    desk.change(position, "warm", label)
                else:
                    getattr(desk, action)(position)
            except Exception as error:  # noqa: BLE001  what may not be done now is not done
                assert type(error).__module__.startswith("data."), error
        if erased:
            with store.writing("lead", "erase conversation", small.study.id) as (connection, entry):
                erase_conversation(connection, entry, small.study, erased, "asked for")
        assert_round_trip(store, "small", other, folder)
    finally:
        store.close()
        other.close()


def test_bundle_tells_nothing_of_another_study(worked: Small, tmp_path: Path) -> None:
    path = tmp_path / "bundle.sqlite"
    write_bundle(worked.store, "second", path)
    contents = path.read_bytes()
    write_bundle(worked.store, "second", tmp_path / "folder")
    contents += b"".join(each.read_bytes() for each in (tmp_path / "folder").iterdir())
    with worked.store.reading() as connection:
        key = connection.execute(select(schema.store_key.c.key)).scalar_one()
    assert b"Zora" in contents and b"Secret second" in contents
    for words in (
        "Ann",
        "Ben",
        "Elsewhere",
        "cold",
        "thought over",
        f"{SAID} 6",
        f"{REASONED} 3",
        "asked for",
        key,
    ):
        assert words.encode() not in contents, words


def test_prompt_of_a_judge_comes_along_and_others_do_not(
    make_study: Callable[..., Small], other: Store, tmp_path: Path
) -> None:
    small = make_study()
    with small.store.writing("tests", "start judge run", small.study.id) as (connection, entry):
        ledger.keep_prompt(connection, entry, "rubric", "1", "key: rubric", "a" * 64)
        ledger.keep_prompt(connection, entry, "secret", "1", "key: secret", "b" * 64)
        identity = JudgeIdentity("Judge C", prompt=f"rubric 1 {'a' * 12}")
        judgements.register(connection, entry, small.study.id, identity)
    write_bundle(small.store, "small", tmp_path / "bundle")
    report = bring(other, tmp_path / "bundle")
    assert report.detail["verifies"] is True
    assert any("1 row of the table judge_prompt was written" in line for line in report.lines())
    with other.reading() as connection:
        assert ledger.prompt_body(connection, "a" * 12) == "key: rubric"
        assert ledger.prompt_body(connection, "b" * 12) is None


def test_a_text_that_was_erased_is_in_no_bundle(folder: Path) -> None:
    told = b"".join(each.read_bytes() for each in folder.iterdir())
    assert f"{SAID} 5".encode() in told and f"{SAID} 6".encode() not in told


def changed(folder: Path, table: str, change: Callable[[list[dict[str, Any]]], Any]) -> None:
    rows = read_rows(folder, table)
    change(rows)
    write_rows(folder, table, rows)


def other_label(rows: list[dict[str, Any]]) -> None:
    rows[0]["label"] = "NO" if rows[0]["label"] == "YES" else "YES"


def drop_entry(rows: list[dict[str, Any]], reveal: int) -> None:
    entry = next(row for row in rows if row["seq"] == reveal)
    entry.update({name: None for name in entry if name not in ("seq", "previous", "hash")})


MUTATIONS: dict[str, tuple[str, Callable[[list[dict[str, Any]]], Any], str]] = {
    "a label": ("rating", other_label, "rating: the rows of entry"),
    "an exposure": ("rating", lambda rows: rows[-1].update(exposure="revealed"), "rating: the rows of entry"),
    "a time": (
        "unit_commit",
        lambda rows: rows[0].update(at="2026-01-01T00:00:00.000+00:00"),
        "unit_commit: the rows",
    ),
    "a reveal": ("exposure", lambda rows: rows.pop(), "exposure: the rows of entry"),
    "a new rating": (
        "rating",
        lambda rows: rows.append({**rows[-1], "id": rows[-1]["id"] + 1, "event": "new"}),
        "rating: the rows of entry",
    ),
    "a text": (
        "content",
        lambda rows: rows[next(n for n, row in enumerate(rows) if row["text"])].update(text="[]"),
        "1 text was altered",
    ),
    "a lost text": ("content", lambda rows: rows[0].update(text=None, salt=None), "1 text is missing"),
    "an actor": ("trail", lambda rows: rows[1].update(actor="Eve"), "entry 2 was altered"),
    "an entry": ("trail", lambda rows: rows.pop(3), "entries before entry 5 of the trail are missing"),
    "a chain": ("trail", lambda rows: rows[4].update(previous=START), "does not follow from the one before"),
    "a verdict": ("judgement", other_label, "judgement: the rows of entry"),
}


@pytest.mark.parametrize("what", MUTATIONS)
def test_a_change_is_found_and_nothing_counts_as_blind(what: str, folder: Path, other: Store) -> None:
    table, change, sentence = MUTATIONS[what]
    changed(folder, table, change)
    report = bring(other, folder)
    assert any(sentence in line for line in report.lines()), report.lines()
    assert any("no label in it counts as blind" in line for line in report.lines())
    assert report.detail["verifies"] is False
    assert "blind" not in exposures(other) and "unknown" in exposures(other)
    assert problems(other) == []


def test_a_reveal_hidden_with_its_entry_is_found(folder: Path, other: Store) -> None:
    """The entry is made to look like one of another study: only the digest of the export tells."""
    reveal = read_rows(folder, "exposure")[-1]["trail"]
    changed(folder, "exposure", lambda rows: rows.clear())
    changed(folder, "trail", lambda rows: drop_entry(rows, reveal))
    report = bring(other, folder)
    assert "the rows are not those that the export recorded" in report.lines()[0]
    assert "blind" not in exposures(other)


def test_a_bundle_made_anew_is_found_by_the_kept_hash_alone(
    worked: Small, folder: Path, other: Store, tmp_path: Path
) -> None:
    last_entry = read_rows(folder, "trail")[-1]

    def rechain(rows: list[dict[str, Any]]) -> None:
        last = rows[-1]
        last["actor"] = "Eve"
        last["hash"] = entry_hash(last)

    changed(folder, "trail", rechain)
    third = open_store(f"sqlite:///{tmp_path / 'third.sqlite'}")
    assert bring(third, folder).detail["verifies"] is True  # the docs say so
    third.close()
    report = bring(other, folder, {last_entry["seq"]: last_entry["hash"]})
    assert f"entry {last_entry['seq']} is not the one whose hash was kept" in report.lines()[0]
    assert report.detail["verifies"] is False


def test_rows_in_another_order_are_refused(folder: Path, other: Store) -> None:
    changed(folder, "rating", lambda rows: rows.reverse())
    assert "row 2 of rating can't be read" in refusal(other, folder)


def test_entry_that_wrote_in_two_studies_does_not_verify(full: Small, other: Store, tmp_path: Path) -> None:
    """The fixture writes rows of three studies under one entry, which no action of the program does."""
    write_bundle(full.store, "small", tmp_path / "bundle")
    report = bring(other, tmp_path / "bundle")
    assert any("which is not told as one of this study" in line for line in report.lines())
    assert "blind" not in exposures(other)
    assert problems(other) == []
    filled = {name for name, rows in counts(other).items() if rows}
    absent = {
        "trial",
        "successor",
        "taxonomy",
        "erasure",
        "judge_prompt",
        *WORK,
        *(table.name for table in CLAIMS),
    }
    assert {table.name for table in TABLES} - filled <= absent


WORK = {
    *("work_plan", "repeat", "assignment", "assignment_event", "gold_label", "certification", "conflict"),
    *("calibration", "calibration_unit", "calibration_step"),
}


def refusal(store: Store, path: Path) -> str:
    """The sentence with which a bundle is refused; nothing was written."""
    before = counts(store)
    with pytest.raises(Refused) as caught:
        bring(store, path)
    assert counts(store) == before
    return word_error(caught.value)


def test_the_same_bundle_twice_is_refused(worked: Small, folder: Path, other: Store) -> None:
    bring(other, folder)
    assert "already a study small in this store" in refusal(other, folder)
    assert "already a study small in this store" in refusal(worked.store, folder)


def test_the_same_ratings_under_another_key_are_refused(folder: Path, other: Store) -> None:
    bring(other, folder)
    changed(folder, "study", lambda rows: rows[0].update(key="renamed"))
    assert "already holds ratings or other entries of the study renamed" in refusal(other, folder)


def test_words_that_were_erased_here_do_not_come_back(
    worked: Small, folder: Path, other: Store, tmp_path: Path
) -> None:
    bring(other, folder)
    with other.writing("lead", "erase", 1) as (connection, entry):
        study = studies.get_by_key(connection, "small")
        erase_conversation(connection, entry, study, "c1", "asked for")
    write_bundle(worked.store, "second", tmp_path / "second")
    assert "1 of the conversations whose text was erased in this store" in refusal(other, tmp_path / "second")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"schema": "9999"}, "comes from a newer program"),
        ({"format": 99}, "comes from a newer program"),
        ({"schema": "0100"}, "comes from an older program"),
        ({"format": "1"}, "is not a study that Second Reader exported"),
    ],
)
def test_bundle_of_another_version_is_refused(
    change: dict[str, Any], sentence: str, folder: Path, other: Store
) -> None:
    about = json.loads((folder / "about.json").read_text())
    (folder / "about.json").write_text(json.dumps({**about, **change}))
    assert sentence in refusal(other, folder)


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("study", {"role_names": "no JSON"}),
        ("study", {"key": "../odd"}),
        ("rating", {"label": "MAYBE"}),
        ("rating", {"unit_id": 999}),
        ("rating", {"at": "yesterday"}),
        ("rating", {"reveals_before": "many"}),
        ("rating", {"id": 2**70}),
        ("unit", {"criteria": "["}),
        ("instrument", {"body": "key: x"}),
    ],
)
def test_odd_value_is_refused(table: str, change: dict[str, Any], folder: Path, other: Store) -> None:
    changed(folder, table, lambda rows: rows[-1].update(change))
    before = counts(other)
    with pytest.raises(Exception) as caught:
        bring(other, folder)
    assert type(caught.value).__name__ in ("Refused", "StoreError", "ConfigFileError")
    assert counts(other) == before


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _spoil(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[5000:9000] = bytes(4000)
    path.write_bytes(whole)


def _trap(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("ALTER TABLE rating RENAME TO rating_")
        raw.execute("CREATE VIEW rating AS SELECT * FROM rating_")


def _lack(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("ALTER TABLE rating DROP COLUMN exposure")


def _foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as raw:
        raw.execute("CREATE TABLE notes (text)")


@pytest.mark.parametrize("harm", [_cut, _spoil, _trap, _lack, _foreign])
def test_damaged_file_is_refused(
    harm: Callable[[Path], None], worked: Small, other: Store, tmp_path: Path
) -> None:
    path = tmp_path / "bundle.sqlite"
    write_bundle(worked.store, "small", path)
    harm(path)
    assert "is damaged" in (said := refusal(other, path)) or "is not a study that" in said


def test_cut_folder_is_refused(folder: Path, other: Store) -> None:
    _cut(folder / "rating.jsonl")
    assert "is damaged" in refusal(other, folder)
    (folder / "rating.jsonl").unlink()
    assert "the file rating.jsonl can't be read" in refusal(other, folder)


def test_export_leaves_nothing_where_it_fails(worked: Small, folder: Path, tmp_path: Path) -> None:
    for path in (folder, tmp_path / "bundle.sqlite"):
        if path != folder:
            write_bundle(worked.store, "small", path)
        with pytest.raises(FileExistsError):
            write_bundle(worked.store, "small", path)
    with pytest.raises(Refused):
        write_bundle(worked.store, "small", tmp_path / "bundle.csv")
    assert not list(tmp_path.glob("*.part"))


def test_trail_tells_what_was_imported(folder: Path, other: Store) -> None:
    bring(other, folder)
    head = read_rows(folder, "trail")[-1]
    with other.reading() as connection:
        entries = connection.execute(select(schema.trail).order_by(schema.trail.c.seq)).all()
    detail = json.loads(entries[0].detail)
    assert detail["head"] == [head["seq"], head["hash"]] and detail["verifies"] is True
    assert detail["rows"] == json.loads(head["detail"])["rows"] and len(detail["sha256"]) == 64
    first = json.loads(entries[1].detail)
    assert {"entry", "at", "actor", "action"} == first.keys()
    assert canonical(first).decode() == entries[1].detail
    assert {entry.study for entry in entries} == {1}


def test_who_saw_the_judge_of_the_same_words_here_is_not_blind(
    make_study: Callable[..., Small], other: Store, tmp_path: Path
) -> None:
    small = make_study(key="again", conversation_count=2)
    here = small_study.make(other, tmp_path, conversation_count=2)
    here.desk(0).rate(2)
    here.desk(0).reveal(2)
    for desk in (small.desk(0), small.desk(1)):
        desk.rate(2)
    write_bundle(small.store, "again", tmp_path / "again")
    report = bring(other, tmp_path / "again")
    assert report.detail["verifies"] and "Ann" in " ".join(report.lines())
    rating, rater = schema.rating, schema.rater
    with other.reading() as connection:
        names = connection.execute(
            select(rater.c.name)
            .join(rating, rating.c.rater_id == rater.c.id)
            .join(schema.seen_elsewhere, schema.seen_elsewhere.c.rating_id == rating.c.id)
        ).scalars()
        assert set(names) == {"Ann"}
    assert problems(other) == []


def test_nothing_is_left_beside_the_store_after_a_refusal(folder: Path, other: Store) -> None:
    (folder / "about.json").write_text("{")
    refusal(other, folder)
    assert not list(other.path.parent.glob("*.incoming/*"))


def test_commands_export_import_and_compare_with_the_kept_head(
    worked: Small, other: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(store: Store, *words: str) -> Result:
        monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store.path}")
        return CliRunner().invoke(main, list(words))

    bundle, heads = str(tmp_path / "out"), tmp_path / "heads.txt"
    exported = run(worked.store, "export", "study", "small", bundle)
    assert exported.exit_code == 0, exported.output
    heads.write_text(exported.output.split("Head: ")[1])
    imported = run(other, "import", "study", bundle, "--heads", str(heads))
    assert imported.exit_code == 0, imported.output
    assert "Added" in imported.output and "blind" not in imported.output
    again = run(other, "import", "study", bundle)
    assert again.exit_code == 1 and "already a study small" in again.output
    number, head = heads.read_text().split()
    heads.write_text(f"{number} {head[::-1]}\n")
    run(
        third := open_store(f"sqlite:///{tmp_path / 'third.sqlite'}"),
        "import",
        "study",
        bundle,
        "--heads",
        str(heads),
    )
    assert exposures(third) == {"unknown", "revealed"}
    third.close()
    assert "is not a study that Second Reader exported" in run(other, "import", "study", str(heads)).output
