"""The pages that people read are short; details are in a reference page, one link away."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.widgets.help.topics import FOLDER, TITLES

ROOT = Path(__file__).resolve().parents[2]
AT_MOST = 8_000
LONGEST = 1_600
TO_READ = [topic for topic in TITLES if not topic.startswith("reference_")]
TO_LOOK_UP = [topic for topic in TITLES if topic.startswith("reference_")]


def words_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").split())


def test_what_people_read_has_at_most_8000_words() -> None:
    counts = {path.name: words_of(path) for path in (ROOT / "README.md", *pages(TO_READ))}
    assert len(counts) == 10 and sum(counts.values()) <= AT_MOST, counts
    assert max(counts.values()) <= LONGEST, counts


def pages(topics: list[str]) -> list[Path]:
    return [FOLDER / f"{topic}.md" for topic in topics]


def test_every_document_is_in_the_help_except_those_for_developers() -> None:
    documents = {path.stem for path in FOLDER.glob("*.md")}
    assert {name for name in documents - set(TITLES) if not name.startswith("add_")} == {"architecture"}


@pytest.mark.parametrize("topic", TO_LOOK_UP)
def test_a_reference_is_linked_from_what_people_read_and_from_the_readme(topic: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in pages(TO_READ)]
    assert any(f"({topic}.md" in text for text in texts)
    assert f"(docs/{topic}.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.md")), ids=lambda path: path.name)
def test_every_link_of_a_document_leads_to_a_file_and_a_heading_of_it(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        file, _, name = target.partition("#")
        document = (page.parent / file).resolve() if file else page
        assert document.exists(), target
        if name:
            headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
            assert name in {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


def test_every_link_of_a_decision_leads_to_a_file() -> None:
    decisions = sorted((FOLDER / "decisions").glob("*.md"))
    index = (FOLDER / "decisions" / "README.md").read_text(encoding="utf-8")
    assert len(decisions) == 11
    for page in decisions:
        assert page.name == "README.md" or f"({page.name})" in index
        for target in re.findall(r"\]\(([^)\s#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).resolve().exists(), (page.name, target)
