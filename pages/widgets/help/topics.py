"""The docs in sections, each with an address: read from the files that the checkout and the package hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

FOLDER = Path(__file__).resolve().parents[3] / "docs"
TITLES = {
    "guide": "Guide",
    "leads": "Setting up the work",
    "judges": "Judges",
    "metrics": "Metrics",
    "statistics": "Statistics",
    "sampling": "Which units are rated",
    "operations": "Operations",
    "security": "Security",
}
# What somebody on a page most likely asks about.
HELP_OF: Mapping[str, tuple[str, str]] = {
    "my_work": ("guide", "rating-in-five-minutes"),
    "review": ("guide", "rating-in-five-minutes"),
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
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]*)\)")


@dataclass(frozen=True)
class HelpSection:
    """A part of a document under one heading. `name`: empty for what stands before the first heading."""

    topic: str
    name: str
    title: str
    text: str

    @property
    def headings(self) -> list[str]:
        """The names of the headings within it."""
        return [name_of(title) for title in re.findall(r"^###+ (.+)$", self.text, flags=re.MULTILINE)]

    def query(self) -> dict[str, str]:
        return {"topic": self.topic, **({"section": self.name} if self.name else {})}

    @property
    def address(self) -> str:
        return f"help?{urlencode(self.query())}"


@cache
def sections() -> tuple[HelpSection, ...]:
    """All of them, document by document."""
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
    """The name of a heading in an address, as Markdown pages on the web name it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def find_section(topic: str, name: str) -> HelpSection:
    """The one of this name, or that has a heading of this name in it; else the beginning of the document,
    else of the guide.
    """
    listed = sections_of(topic) or sections_of("guide")
    by_name = [section for section in listed if section.name == name]
    return (by_name or [section for section in listed if name in section.headings] or listed)[0]


def section_for(page: str) -> HelpSection:
    return find_section(*HELP_OF.get(page, ("guide", "")))


def search_sections(words: str) -> list[HelpSection]:
    """Those that hold every word, the ones with a word in the heading first."""
    wanted = words.lower().split()

    def rank(section: HelpSection) -> tuple[bool, int]:
        title, text = section.title.lower(), section.text.lower()
        return not any(word in title for word in wanted), -sum(text.count(word) for word in wanted)

    matching = [s for s in sections() if all(word in f"{s.title}\n{s.text}".lower() for word in wanted)]
    return sorted(matching, key=rank) if wanted else []


def linked(section: HelpSection, query: Mapping[str, str]) -> str:
    """The text with links that lead on inside the help, which keep `query`; of others only the words stay."""
    return LINK.sub(lambda match: _link(section, query, *match.groups()), section.text)


def _link(section: HelpSection, query: Mapping[str, str], picture: str, words: str, target: str) -> str:
    if picture:
        return ""
    if target.startswith("https://"):
        return f"[{words}]({target})"
    file, _, name = target.partition("#")
    topic = file.removesuffix(".md") if file else section.topic
    if topic not in TITLES:
        return words
    return f"[{words}](help?{urlencode({**query, **find_section(topic, name).query()})})"


def sections_of(topic: str) -> list[HelpSection]:
    return [section for section in sections() if section.topic == topic]
