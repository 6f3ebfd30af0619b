"""What must be true of the files of every report, whatever its kind and its study. A rule reads the files as
they would be taken away and says what is wrong with them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.documents.report_files import ReportFiles, tables_of
from words.figures import decimal, percent
from words.plurals import join_words

NO_NUMBER = re.compile(r"(?<![A-Za-z])(nan|NaN|inf|Infinity|None|numpy|dtype|np\.\w+)(?![A-Za-z])")
ENGLISH = re.compile(r"(^|[.!?] )None (are|is|have|has) ")  # where a sentence begins with it
MINUS_NOTHING = re.compile(r"(?<![\w.])-0(?:\.0+)?(?![\d.])")
NUMBER = r"-?\d[\d,]*(?:\.\d+)?"
WITH_LIMITS = re.compile(
    rf"({NUMBER})(?:%| points)? \((?:plausible range )?({NUMBER})%? to ({NUMBER})(?:%|\b)"
)
LIMITS = re.compile(rf"(?:plausible range )?({NUMBER})%? to ({NUMBER})(?:%| points)?(?:,.*)?")
PERCENT = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?)%")
CHANGE = re.compile(r"change|difference|points|less|moved", re.IGNORECASE)
ONE_OF_MANY = re.compile(
    r"(?<![\d.,])-?1 (points|conversations|replies|persons|labels|failures|raters|judges)\b"
)
TO_NOTHING = re.compile(r"to -?0(?:\.0+)?\)")
FALSE_ALARMS = re.compile(r"the judge raised (\d+|no) false alarms?")
LISTED_ALARMS = re.compile(r"False alarms, [^:]*: ([\d,]+)")
COUNTS = re.compile(r"(?<![\w.,%-])(\d[\d,]*) of (?:the )?(\d[\d,]*)(?![\d,]*[.%]?\d|%)")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
PLAIN_NUMBER = re.compile(r"[-+]?\d[\d.,]*(?: to | points| \(|\)|[-+]?\d[\d.,]*)*")
TAGS = frozenset(
    """html head meta title style body h1 h2 p strong section ul li div span table caption thead tbody tr th td
    figure figcaption svg g rect line text path circle""".split()  # noqa: SIM905  a list reads worse
)
OUTSIDE = frozenset({"src", "href", "action", "formaction", "data", "poster", "background", "srcset"})
CHARTS = ("forest", "panels", "scatter")
DIGITS = range(2, 5)  # that a number in a table may have, where its chart names none


def objects_of(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects_of(part)


def numbers_of(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers_of(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def as_number(text: str) -> float:
    return float(text.replace(",", ""))


# ---- the rules ----


def only_numbers(report: ReportFiles) -> Iterator[str]:
    yield from (f"JSON holds {name}" for name in report.constants)
    for number in numbers_of(report.document):
        if not math.isfinite(number):
            yield f"JSON holds {number}"


def only_words(report: ReportFiles) -> Iterator[str]:
    for text in report.texts():
        if NO_NUMBER.search(ENGLISH.sub(" ", text)):
            yield f"no number in words: {text}"
        if MINUS_NOTHING.search(text):
            yield f"less than nothing: {text}"


def limits_around_values(report: ReportFiles) -> Iterator[str]:
    for estimate in objects_of(report.document):
        value, low, high = (estimate.get(name) for name in ("value", "low", "high"))
        if not isinstance(low, int | float) or not isinstance(high, int | float) or "kind" in estimate:
            continue  # an axis has two ends too
        if not isinstance(value, int | float):
            yield f"limits without a value: {estimate}"
        elif not low - 1e-9 <= value <= high + 1e-9:
            yield f"{value} does not lie from {low} to {high}: {estimate}"
    for sentence in (
        *report.sentences(),
        *(cell for table in report.tables for row in table["rows"] for cell in row),
    ):
        for match in WITH_LIMITS.finditer(sentence):
            value, low, high = map(as_number, match.groups())
            if not low <= value <= high:
                yield f"{match[0]} in: {sentence}"
    for table in report.tables:
        for row in table["rows"]:
            for before, cell in zip(["", *row], row, strict=False):
                limits = LIMITS.fullmatch(cell)
                if limits is None:
                    continue
                low, high = map(as_number, limits.groups())
                same_unit = re.fullmatch(f"{NUMBER}%" if "%" in cell else NUMBER, before)
                value = as_number(before.rstrip("%")) if same_unit else low
                if not low <= value <= high:
                    yield f"{before} | {cell} in the table {table['key']}"


def tables_alike(report: ReportFiles) -> Iterator[str]:
    """In JSON, in HTML and as CSV; every row as long as its header; every key once."""
    keys = [table["key"] for table in report.tables]
    yield from (f"two tables are called {key}" for key, times in Counter(keys).items() if times > 1)
    files = {name for name in report.rows if name.startswith("tables/")}
    for name in files ^ {f"tables/{key}.csv" for key in keys}:
        yield f"{name} is not there, or is of no table"
    if len(report.page.tables) != len(report.tables):
        yield f"{len(report.page.tables)} tables in HTML, {len(report.tables)} in JSON"
    for table, printed in zip(report.tables, report.page.tables, strict=False):
        key, header, rows = table["key"], table["header"], table["rows"]
        if {len(row) for row in rows} - {len(header)}:
            yield f"a row of {key} is not as long as its header"
        if not all(column < len(header) for column in table["numeric"]):
            yield f"{key} has no such column of numbers"
        if not rows:
            yield f"{key} has no rows"
        if (printed.caption, printed.header, printed.rows) != (table["caption"], header, rows):
            yield f"{key} is not the same in HTML"
        written = report.rows.get(f"tables/{key}.csv", [])
        expected = table["csv"]
        if [len(row) for row in written] != [len(row) for row in expected] or any(
            cell != text and cell != f"'{text}"
            for line, texts in zip(written, expected, strict=True)
            for cell, text in zip(line, texts, strict=True)
        ):
            yield f"{key} is not the same in CSV"


def words_alike(report: ReportFiles) -> Iterator[str]:
    """Title, answer, header, headings and sentences stand in HTML as in JSON, in their order; cautions stand
    under a line of their own, and the answer stands once.
    """
    document, answer = report.document, report.document["answer"]
    lines = [text for tag, text in report.page.lines if tag in ("h1", "h2", "p")]
    expected = [document["title"], *answer]
    if document["header"]:
        expected.append(" ".join(document["header"]))
    for section in report.sections:
        expected.append(section["title"])
        texts = [block["text"] for block in section["blocks"] if block["kind"] == "paragraph"]
        expected += [text for text in texts if text not in answer]
    items = [text for tag, text in report.page.lines if tag == "li"]
    if items[: len(document["cautions"])] != document["cautions"]:
        yield "the cautions of HTML and JSON differ"
    if lines != [*expected, "What this was computed from"]:
        yield f"sentences of HTML and JSON differ: {set(lines) ^ set(expected)}"
    for section in report.sections:
        if not section["blocks"]:
            yield f"the section {section['key']} is empty"
    pictures = sum(block["kind"] in CHARTS for section in report.sections for block in section["blocks"])
    if report.page.tags.count("figure") != pictures:
        yield "not every chart is drawn"


def charts_in_tables(report: ReportFiles) -> Iterator[str]:
    """Every number of a chart stands in a table of its section."""
    keys = [
        block["key"] for section in report.sections for block in section["blocks"] if block["kind"] in CHARTS
    ]
    yield from (f"two charts are called {key}" for key, times in Counter(keys).items() if times > 1)
    for section in report.sections:
        cells = (
            cell
            for table in tables_of(section, report.noun, report.names)
            for row in table["rows"]
            for cell in row
        )
        tokens = {token for cell in cells for token in tokens_of(cell)}
        for block in section["blocks"]:
            least = block.get("digits", DIGITS.start)
            for number in drawn_numbers(block):
                if not spellings(number, least) & tokens:
                    yield f"{number} of the chart {block['key']} stands in no table of {section['key']}"


def tokens_of(cell: str) -> Iterator[str]:
    for token in re.findall(rf"{NUMBER}%?", cell):
        yield token.replace(",", "")
        yield token.replace(",", "").rstrip("%")


def spellings(number: float, least: int) -> set[str]:
    """With so many digits at least; exactly; or as a share."""
    return {decimal(number, digits) for digits in range(least, 5)} | {
        percent(number),
        repr(number),
        f"{number:g}",
    }


def drawn_numbers(block: Mapping[str, Any]) -> Iterator[float]:
    if block["kind"] == "scatter":
        yield from (*block["x"], *block["y"])
    drawn = [point for panel in block.get("panels", ()) for point in panel["points"]]
    if block["kind"] == "forest":
        drawn = [mark["estimate"] for row in block["rows"] for mark in row["marks"]]
    for estimate in drawn:
        yield from (estimate[name] for name in ("value", "low", "high") if estimate[name] is not None)


def nothing_runs(report: ReportFiles) -> Iterator[str]:
    """Neither a script nor an address in HTML, and no formula in a cell."""
    page = report.page
    yield from (f"<{tag}> in HTML" for tag in set(page.tags) - TAGS)
    for name, value in page.attributes:
        if name in OUTSIDE or name.startswith("on") or "javascript:" in value or "url(" in value:
            yield f"{name}={value} in HTML"
    if re.search(r"url\(|@import|expression\(", page.style):
        yield "the style of the page calls for something"
    ids = [value for name, value in page.attributes if name == "id"]
    yield from (f"two elements are called {name}" for name, times in Counter(ids).items() if times > 1)
    for name, rows in report.rows.items():
        for cell in (cell for row in rows for cell in row):
            if cell.startswith(FORMULA) and not PLAIN_NUMBER.fullmatch(cell):
                yield f"{name} has a formula: {cell}"


def shares_within_all(report: ReportFiles) -> Iterator[str]:
    """Percentages from 0 to 100, but for changes in points, and never more of a thing than there is."""
    places = [("", sentence) for sentence in report.sentences()]
    for table in report.tables:
        places += [
            (f"{table['caption']} {name}", cell)
            for row in table["rows"]
            for name, cell in zip(table["header"], row, strict=False)
        ]
    for heading, text in places:
        for match in PERCENT.finditer(text):
            if not 0 <= float(match[1]) <= 100 and not CHANGE.search(heading):
                yield f"{match[0]} in: {heading} {text}"
        for match in COUNTS.finditer(text):
            if as_number(match[1]) > as_number(match[2]):
                yield f"{match[0]} in: {heading} {text}"


def nobody_named(report: ReportFiles) -> Iterator[str]:
    patterns = [(name, re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")) for name in report.people]
    for text in report.texts():
        yield from (f"{name} stands in: {text[:200]}" for name, pattern in patterns if pattern.search(text))


def nothing_contradicts(report: ReportFiles) -> Iterator[str]:
    """One fact has one value and one word, wherever it is printed."""
    texts = [text for _, text in report.page.lines if text] + [table.caption for table in report.page.tables]
    for text in texts:
        if ONE_OF_MANY.search(text):
            yield f"one of several: {text}"
        if "surely further" in text and TO_NOTHING.search(text):
            yield f"surely below 0, and a limit that reads as 0: {text}"
    whole = " ".join(texts)
    counted, listed = FALSE_ALARMS.search(whole), LISTED_ALARMS.search(whole)
    if counted and (int(counted[1]) if counted[1].isdecimal() else 0) != (int(listed[1]) if listed else 0):
        yield f"{counted[0]}, and listed: {listed[0] if listed else 'none'}"
    verdicts = report.document.get("verdicts")
    if not verdicts:
        return
    tables = {
        table["key"]: table
        for section in report.sections
        for table in tables_of(section, report.noun, report.names)
    }
    answers = [
        [row[0], row[tables[key]["header"].index("Trust it?")]]
        for key in ("trust", "colleague")
        for row in tables[key]["rows"]
    ]
    words = {name: {answer for criterion, answer in answers if criterion == name} for name, _ in answers}
    yield from (f"{name} is {join_words(sorted(given))}" for name, given in words.items() if len(given) > 1)
    summary = str(report.document["summary"])
    for word in set().union(*words.values()):
        number = sum(word in given for given in words.values())
        if (
            word in summary.lower()
            and len(words) > 1
            and not re.search(rf"\b{number}\b|\ball {len(words)}\b", summary)
        ):
            yield f"{number} are {word}, and the summary says: {summary}"


RULES: tuple[Callable[[ReportFiles], Iterable[str]], ...] = (
    only_numbers,
    only_words,
    limits_around_values,
    tables_alike,
    words_alike,
    charts_in_tables,
    nothing_runs,
    shares_within_all,
    nobody_named,
    nothing_contradicts,
)


def complaints(contents: Mapping[str, bytes], people: Sequence[str] = ()) -> list[str]:
    """What is wrong with the files of a report, each with its rule; nothing where nothing is. `people`: names
    that may stand nowhere in them.
    """
    report = ReportFiles(contents, people)
    return [f"{rule.__name__}: {problem}" for rule in RULES for problem in rule(report)]
