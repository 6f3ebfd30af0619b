"""The files of a report, read as a browser, a program and a spreadsheet would."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from itertools import zip_longest
from typing import Any

from words.unit_nouns import CONVERSATION, REPLY, UnitNoun


@dataclass
class PrintedTable:
    caption: str = ""
    header: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)


class PrintedPage(HTMLParser):
    """The elements of a page and what is written in them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.tables: list[PrintedTable] = []
        self.lines: list[tuple[str, str]] = []  # tag, text
        self.style = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attributes]
        self._open.append(tag)
        if tag == "table":
            self.tables.append(PrintedTable())
        elif tag == "tr" and "tbody" in self._open and self.tables:
            self.tables[-1].rows.append([])
        elif tag in ("th", "td"):
            self._line_of_cells().append("")
        if tag not in ("th", "td", "tr"):
            self.lines.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        tag = self._open[-1] if self._open else ""
        if tag == "style":
            self.style += data
        elif tag in ("th", "td"):
            cells = self._line_of_cells()
            cells[-1:] = ["".join(cells[-1:]) + data]
        elif tag == "caption" and self.tables:
            self.tables[-1].caption += data
        elif self.lines and self.lines[-1][0] == tag:
            self.lines[-1] = (tag, self.lines[-1][1] + data)
        elif data.strip():
            self.lines.append((tag, data))

    def _line_of_cells(self) -> list[str]:
        """Where a cell belongs; in a page that is broken, to nothing."""
        if not self.tables:
            return []
        table = self.tables[-1]
        if "tbody" not in self._open:
            return table.header
        return table.rows[-1] if table.rows else []

    def texts(self) -> Iterator[str]:
        yield from (text for _, text in self.lines)
        yield from (value for _, value in self.attributes)
        for table in self.tables:
            yield from (table.caption, *table.header, *(cell for row in table.rows for cell in row))


@dataclass(frozen=True)
class ReportFiles:
    """`people`: names that may stand nowhere."""

    contents: Mapping[str, bytes]
    people: Sequence[str] = ()

    @cached_property
    def document(self) -> dict[str, Any]:
        """What is no number in it becomes None, and stands in `constants`."""
        document: dict[str, Any] = json.loads(self.contents["report.json"], parse_constant=lambda name: None)
        return document

    @cached_property
    def constants(self) -> list[str]:
        names: list[str] = []
        for name, content in self.contents.items():
            if name.endswith(".json"):
                json.loads(content, parse_constant=names.append)
        return names

    @cached_property
    def page(self) -> PrintedPage:
        return PrintedPage(self.contents["report.html"].decode())

    @cached_property
    def rows(self) -> dict[str, list[list[str]]]:
        """Of every CSV file by its name."""
        return {
            name: list(csv.reader(io.StringIO(content.decode(), newline="")))
            for name, content in self.contents.items()
            if name.endswith(".csv")
        }

    @property
    def sections(self) -> list[dict[str, Any]]:
        sections: list[dict[str, Any]] = self.document["sections"]
        return sections

    @cached_property
    def tables(self) -> list[dict[str, Any]]:
        """Squares among them, as tables."""
        return [table for section in self.sections for table in tables_of(section, self.noun, self.names)]

    @property
    def names(self) -> dict[str, str]:
        """Position of a unit -> its own id."""
        names: dict[str, str] = self.document["unit_names"]
        return names

    @property
    def noun(self) -> UnitNoun:
        """What is rated; of the instruments of these tests one is about replies."""
        return REPLY if self.document["settings"].get("instrument") == "plan_alignment" else CONVERSATION

    def sentences(self) -> Iterator[str]:
        yield from (*self.document["answer"], *self.document["header"], *self.document["cautions"])
        for section in self.sections:
            yield from (block["text"] for block in section["blocks"] if block["kind"] == "paragraph")

    def texts(self) -> Iterator[str]:
        """Everything that anybody or any program can read in the files."""
        yield from self.page.texts()
        for content in (content for name, content in self.contents.items() if name.endswith(".json")):
            yield from texts_of(json.loads(content, parse_constant=str))
        yield from (cell for rows in self.rows.values() for row in rows for cell in row)


def tables_of(
    section: Mapping[str, Any], noun: UnitNoun, names: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Each table as it is printed; under "csv" as its file holds it, with the ids of units in a column of their
    own. `names`: position -> id.
    """
    for block in section["blocks"]:
        if block["kind"] == "table":
            columns = list(zip_longest(*block["rows"], fillvalue="")) or [()] * len(block["header"])
            written: list[list[str]] = []
            for title, cells in zip_longest(block["header"], columns, fillvalue=""):
                written.append([title, *(cell_text(cell, noun, {}) for cell in cells)])
                if names and any(isinstance(cell, dict) for cell in cells):
                    ids = [
                        names.get(str(cell["position"]), "") if isinstance(cell, dict) else ""
                        for cell in cells
                    ]
                    written.append([f"{title} id", *ids])
            rows = [[cell_text(cell, noun, names) for cell in row] for row in block["rows"]]
            yield {**block, "rows": rows, "csv": list(map(list, zip(*written, strict=True)))}
        elif block["kind"] == "heat":
            header = [block["corner"], *block["across"]]
            rows = [[name, *row] for name, row in zip(block["down"], block["texts"], strict=True)]
            yield {
                "key": block["key"],
                "caption": block["title"],
                "header": header,
                "rows": rows,
                "csv": [header, *rows],
                "numeric": [],
            }


def cell_text(cell: Any, noun: UnitNoun, names: Mapping[str, str]) -> str:
    if not isinstance(cell, dict):
        return str(cell)
    return names.get(str(cell["position"])) or noun.name(cell["position"])


def texts_of(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from texts_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_of(part)
    elif isinstance(value, str):
        yield value
