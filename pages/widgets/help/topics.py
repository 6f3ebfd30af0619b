"""The docs in sections, each with an address, read from files in the checkout or the package."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from urllib.parse import urlencode

FOLDER = Path(__file__).resolve().parents[3] / "docs"
TITLES = {
    "raters": "For raters",
    "guide": "Guide",
    "leads": "Setting up the work",
    "judges": "Judges",
    "metrics": "Metrics",
    "statistics": "Statistics",
    "sampling": "Which conversations are rated",
    "operations": "Operations",
    "security": "Security",
    "reference_metrics": "Metrics: reference",
    "reference_statistics": "Statistics: reference",
    "reference_judges": "Judges: reference",
    "reference_limits": "Limits: reference",
    "reference_files": "Files",
    "reference_security": "Security: reference",
}
REFERENCE = "reference_metrics"  # the first reference topic
# The section that each page's help opens.
HELP_OF: Mapping[str, tuple[str, str]] = {
    "my_work": ("raters", ""),
    "review": ("raters", ""),
    "adjudication": ("guide", "settling-disagreements"),
    "overview": ("guide", "the-overview-of-a-study"),
    "agreement": ("guide", "reading-the-agreement"),
    "drift": ("guide", "reading-the-drift"),
    "metrics": ("metrics", ""),
    "judges": ("judges", ""),
    "runs": ("judges", "in-three-steps"),
    "calls": ("judges", "how-a-call-can-end"),
    "lead": ("leads", ""),
    "calibration": ("leads", "calibration"),
    "gold": ("leads", "before-real-units-certification"),
    "instrument": ("guide", "changing-the-rubric"),
    "plans": ("metrics", "session-goal-alignment"),
    "importing": ("guide", "for-study-leads-your-own-study"),
}
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]*)\)")


@dataclass(frozen=True)
class HelpSection:
    """A part of a document under one heading. `name` is "" for the part before the first heading."""

    topic: str
    name: str
    title: str
    text: str

    @property
    def headings(self) -> list[str]:
        """Return the names of the headings within the section."""
        return [name_of(title) for title in re.findall(r"^###+ (.+)$", self.text, flags=re.MULTILINE)]

    def query(self) -> dict[str, str]:
        """Return the part of an address that leads to the section."""
        return {"topic": self.topic, **({"section": self.name} if self.name else {})}

    @property
    def address(self) -> str:
        return f"help?{urlencode(self.query())}"


@dataclass(frozen=True)
class Picture:
    """An image file of ours, and its description."""

    path: Path
    words: str


@cache
def sections() -> tuple[HelpSection, ...]:
    """Return all sections, document by document."""
    return tuple(section for topic in TITLES for section in _read_document(topic))


def _read_document(topic: str) -> list[HelpSection]:
    parts = re.split(r"^## (.+)$", (FOLDER / f"{topic}.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    beginning = re.sub(r"\A\s*# .+\n", "", parts[0])
    return [
        *([HelpSection(topic, "", TITLES[topic], beginning)] if beginning.strip() else []),
        *(
            HelpSection(topic, name_of(title), title, text)
            for title, text in zip(parts[1::2], parts[2::2], strict=True)
        ),
    ]


def name_of(title: str) -> str:
    """Return the name of a heading in an address, as Markdown pages on the web name it: "two-words" for
    "Two words".
    """
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def find_section(topic: str, name: str) -> HelpSection:
    """Return the section of this name, or the one with a heading of this name. Otherwise the start of the
    document, or of the guide.
    """
    listed = sections_of(topic) or sections_of("guide")
    by_name = [section for section in listed if section.name == name]
    return (by_name or [section for section in listed if name in section.headings] or listed)[0]


def section_for(page: str) -> HelpSection:
    """Return the section on a page of the app; the start of the guide if there is none."""
    return find_section(*HELP_OF.get(page, ("guide", "")))


def search_sections(words: str) -> list[HelpSection]:
    """Return the sections that contain every word. Those with a word in the heading come first."""
    wanted = words.lower().split()

    def rank(section: HelpSection) -> tuple[bool, int]:
        title, text = section.title.lower(), section.text.lower()
        return not any(word in title for word in wanted), -sum(text.count(word) for word in wanted)

    matching = [s for s in sections() if all(word in f"{s.title}\n{s.text}".lower() for word in wanted)]
    return sorted(matching, key=rank) if wanted else []


def parts(section: HelpSection, query: Mapping[str, str]) -> list[str | Picture]:
    """Return text and pictures in order. Links to other docs stay inside the help and keep `query`; of other
    links only the words stay.
    """
    pieces = PICTURE.split(section.text)
    texts = [LINK.sub(lambda match: _link(section, query, *match.groups()), text) for text in pieces[::3]]
    pictures = [Picture(FOLDER / file, words) for words, file in zip(pieces[1::3], pieces[2::3], strict=True)]
    in_order: list[str | Picture] = []
    for text, *after in zip_longest(texts, pictures):
        in_order += [part for part in (text, *after) if part]
    return in_order


def _link(section: HelpSection, query: Mapping[str, str], words: str, target: str) -> str:
    if target.startswith("https://"):
        return f"[{words}]({target})"
    file, _, name = target.partition("#")
    topic = file.removesuffix(".md") if file else section.topic
    if topic not in TITLES:
        return words
    return f"[{words}](help?{urlencode({**query, **find_section(topic, name).query()})})"


def sections_of(topic: str) -> list[HelpSection]:
    """Return the sections of one document, in order; [] if there is no such document."""
    return [section for section in sections() if section.topic == topic]
