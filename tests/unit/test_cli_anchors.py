"""Anchors from a terminal: frozen by the page's rules and with its words, and listed with their rounds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from data.record import anchors, studies
from data.store.store import Store

Run = Callable[..., Result]
ROUND = "conversation_id,criterion,label,round,replicate,at\n" + "".join(
    f"{{talk}},{{criterion}},{{label}},1,{again},2026-03-0{again + 1}\n" for again in range(3)
)


@pytest.fixture
def run(sample_store: Store, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A command on a copy of the sample studies."""
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{sample_store.path}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    return lambda *arguments: CliRunner().invoke(main, [str(one) for one in arguments])


def newest(store: Store, key: str = "lend_an_ear") -> anchors.AnchorSet | None:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        return anchors.newest(connection, study.id)


def test_a_set_is_frozen_once_and_the_same_labels_again_change_nothing(run: Run, sample_store: Store) -> None:
    assert "This study has no locked set of conversations yet" in run("anchors", "list", "lend_an_ear").output
    first = run("anchors", "freeze", "lend_an_ear", "--size", 20)
    assert (
        first.exit_code == 0
        and first.output.startswith("Set 1 is locked: ")
        and "for 20 conversations." in first.output
    )
    assert "second-reader judge lend_an_ear --judge NAME --anchors" in first.output
    anchor_set = newest(sample_store)
    again = run("anchors", "freeze", "lend_an_ear", "--size", 20)
    assert (
        again.exit_code == 0
        and "already has exactly these" in again.output
        and "so nothing was changed" in again.output
    )
    assert newest(sample_store) == anchor_set is not None
    more = run("anchors", "freeze", "lend_an_ear")
    assert more.output.startswith("Set 2 is locked: ") and "for 49 conversations." in more.output
    listed = run("anchors", "list", "lend_an_ear").output.splitlines()
    assert (
        listed[0].startswith("Locked set 1, since 20")
        and "for 20 conversations" in listed[0]
        and listed[1].startswith("Locked set 2, since 20")
    )
    assert any(
        "GPT-4o," in line and "its label in the study" in line and "unknown: imported" in line
        for line in listed[2:]
    )


def test_the_rounds_of_the_newest_set_are_listed(run: Run, sample_store: Store, tmp_path: Path) -> None:
    run("anchors", "freeze", "lend_an_ear")
    frozen = newest(sample_store)
    assert frozen is not None
    (unit, criterion), label = sorted(frozen.labels.items())[0]
    with sample_store.reading() as connection:
        talk = connection.exec_driver_sql(
            "SELECT c.key FROM conversation c JOIN unit u ON u.conversation_id = c.id WHERE u.id = ?", (unit,)
        ).scalar()
    path = tmp_path / "round.csv"
    path.write_text(ROUND.format(talk=talk, criterion=criterion, label=label))
    imported = run("import", "judgements", "lend_an_ear", path, "--judge", "Another judge")
    assert imported.exit_code == 0, imported.output
    (line,) = [
        line for line in run("anchors", "list", "lend_an_ear").output.splitlines() if "Another judge" in line
    ]
    assert ", round 1, answered 2026-03-01 to 2026-03-03: 1 labels" in line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("freeze", "lend_an_ear", "--size", "50"), "Choose between 1 and 49 conversations."),
        (("freeze", "lend_an_ear", "--size", "0"), "Choose between 1 and 49 conversations."),
        (
            ("freeze", "coaching_example"),
            "No label is settled yet. A label can be used once two clinicians have given the same label "
            "blind",
        ),
        (("freeze", "nowhere"), "There is no study 'nowhere'."),
        (("list", "nowhere"), "There is no study 'nowhere'."),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    run: Run, sample_store: Store, arguments: tuple[str, ...], words: str
) -> None:
    refused = run("anchors", *arguments)
    assert refused.exit_code == 1 and words in refused.output and "Traceback" not in refused.output
    assert newest(sample_store) is None
