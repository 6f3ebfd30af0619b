"""Read files of unknown origin: detect encodings, stream large files, and count lines as an editor does."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, TextIO

from configs.files.json_keys import DECODER, KeyTwice, line_of_second_key, read_json
from configs.files.plain_files import open_plain
from data.importers.file_starts import NOT_UTF8, foreign_start
from data.importers.report import ImportReport
from data.importers.table_files import (
    LARGEST_CELL,
    TABLES,
    find_second,
    is_parquet,
    is_workbook,
    parquet_values,
    workbook_header,
    workbook_rows,
)

# What UTF-8 looks like after it was read as Windows-1252, Latin-1 or Mac Roman and saved again.
MOJIBAKE = re.compile("â€[™œ\u009d“”˜¦]|Ã[©¨¤¶¼Ÿ±§¡-¿]|Â[ \u00a0£©®°]|‚Äô|‚Äú|œÜ|âœ[…”]|Î”|ï»¿|\ufffd")
REPLACEMENT = "\ufffd"  # replaces a character that could not be read or kept

CHUNK = 1 << 18
LINE_END = re.compile(rb"\r\n|\r|\n")
COLUMN = re.compile(r'"?[\w .-]+"?')
LONGEST_HEADER = 65_536  # bytes
MAX_CHARACTERS_SHOWN = 80  # of a text from the file, in a sentence
READING = "read"  # shown as progress
TOLD = 50  # lines or rows between two progress messages
END = object()
SKIPPED = object()
TOO_LONG = f"a cell of this row holds more than {LARGEST_CELL:,} characters; is a quotation mark missing?"
csv.field_size_limit(LARGEST_CELL)  # a transcript may exceed the default of 131,072 characters


def mojibake(text: str) -> str | None:
    """Return the first wrongly decoded characters of a text; None if there are none."""
    found = MOJIBAKE.search(text)
    return found.group(0) if found else None


class _TextLines:
    """The lines of a binary file as text, one at a time; errors name the line."""

    def __init__(self, stream: BinaryIO, report: ImportReport) -> None:
        self._stream, self._report = stream, report
        start = stream.read(4)
        stream.seek(0)
        if start.startswith(codecs.BOM_UTF8):
            report.notice(1, "the file begins with a byte-order mark; it was left out")
            stream.seek(3)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        size = _size(self._stream)
        for number, line in enumerate(self._stream, start=1):
            if number % TOLD == 0:
                self._report.tell(READING, self._stream.tell(), size)
            try:
                yield number, line.decode("utf-8")
            except UnicodeDecodeError:
                self._report.error(number, NOT_UTF8)


def json_values(path: Path, report: ImportReport) -> Iterator[tuple[int, Any]]:
    """Yield (line, value) of every JSON value: one per line, one array, or one value over many lines.

    An array is streamed; then "line" is the number of the element.
    """
    if is_parquet(path):
        values = parquet_values(path, report)
    elif (foreign := foreign_start(path)) is not None:
        report.error(1, foreign)
        return
    else:
        values = _json_values(path, report)
    for number, value in values:
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except RecursionError as error:
            report.error(number, f"not valid JSON: {_reason(error)}")
        except UnicodeEncodeError:
            report.error(
                number,
                "the text holds half a character (a lone surrogate); the file was cut off or converted "
                "wrongly",
            )
        else:
            yield number, value


def _json_values(path: Path, report: ImportReport) -> Iterator[tuple[int, Any]]:
    with open_plain(path) as stream:
        start = _squeezed_start(stream)
        if start.startswith(("[{", "[[[", "[]")):
            yield from _array(stream, report)
            return
        lines = iter(_TextLines(stream, report))
        first = next(((n, line) for n, line in lines if line.strip()), None)
        if first is None:
            if not report.errors:
                report.error(1, "the file is empty")
            return
        try:
            value = read_json(first[1])
        except KeyTwice as error:
            report.error(first[0], str(error))
            value = SKIPPED
        except (ValueError, RecursionError) as error:
            rest = "".join(line for _, line in lines)
            if not rest.strip():
                report.error(first[0], f"not valid JSON: {_reason(error)}")
                return
            try:
                yield first[0], read_json(first[1] + rest)
            except KeyTwice as twice:
                report.error(first[0] - 1 + line_of_second_key(first[1] + rest), str(twice))
            except (ValueError, RecursionError):
                report.error(
                    first[0],
                    f"not valid JSON: {_reason(error)}. Write one object per line, or one array of objects",
                )
            return
        if value is not SKIPPED:
            yield first[0], value
        for number, line in lines:
            if line.strip():
                try:
                    yield number, read_json(line)
                except KeyTwice as error:
                    report.error(number, str(error))
                except (ValueError, RecursionError) as error:
                    report.error(number, f"not valid JSON: {_reason(error)}")


def _squeezed_start(stream: BinaryIO) -> str:
    head = stream.read(4096).removeprefix(codecs.BOM_UTF8).decode("utf-8", "ignore")
    stream.seek(0)
    return re.sub(r"\s+", "", head)[:3]


def _array(stream: BinaryIO, report: ImportReport) -> Iterator[tuple[int, Any]]:
    if stream.read(3) == codecs.BOM_UTF8:
        report.notice(1, "the file begins with a byte-order mark; it was left out")
    else:
        stream.seek(0)
    text, size = io.TextIOWrapper(stream, encoding="utf-8", newline=""), _size(stream)
    number, buffer, at, chunk = 0, "", 0, CHUNK
    try:
        while True:
            try:
                value, at = _element(buffer, at, number == 0)
            except json.JSONDecodeError as error:
                report.tell(READING, stream.tell(), size)
                more = text.read(chunk)
                if not more:
                    report.error(
                        number + 1, f"the array can't be read after element {number}: {_what(error)}"
                    )
                    return
                buffer, at, chunk = buffer[at:] + more, 0, chunk * 2
                continue
            if value is END:
                break
            number, chunk = number + 1, CHUNK
            yield number, value
        if (buffer[at + 1 :] + text.read()).strip():
            report.error(number + 1, "there is text after the end of the array")
    except UnicodeDecodeError:  # a large part is decoded at once, so the element is unknown
        stream.seek(0)
        report.error(_line_outside_utf8(stream) or 0, NOT_UTF8)
    except (ValueError, RecursionError) as error:
        report.error(number + 1, f"the array can't be read after element {number}: {_reason(error)}")
    finally:
        text.close()


def _element(buffer: str, at: int, first: bool) -> tuple[Any, int]:
    """Return the value after the bracket or comma at `at`, and the place of the next comma or bracket; END
    after the last value.

    Raises JSONDecodeError for invalid JSON, and if the buffer ends too early.
    """
    at = _next(buffer, at, "[" if first else ",]")
    if buffer[at] == "]" or (first and buffer[_next(buffer, at + 1, None)] == "]"):
        return END, _next(buffer, at + first, "]")
    value, end = DECODER.raw_decode(buffer, _next(buffer, at + 1, None))
    return value, _next(buffer, end, ",]")


def _next(buffer: str, at: int, wanted: str | None) -> int:
    """Return the place of the next non-blank character, which must be one of `wanted`."""
    while at < len(buffer) and buffer[at] in " \t\r\n":
        at += 1
    if at == len(buffer) or (wanted and buffer[at] not in wanted):
        raise json.JSONDecodeError(f"Expecting {' or '.join(wanted or ['a value'])}", buffer, at)
    return at


def _reason(error: Exception) -> str:
    if isinstance(error, KeyTwice):
        return str(error)
    if isinstance(error, json.JSONDecodeError):
        return f"{_what(error)} at character {error.pos + 1}"
    return "nested too deeply" if isinstance(error, RecursionError) else "a number has too many digits"


def _what(error: json.JSONDecodeError) -> str:
    """Return the message of the JSON reader without its position."""
    return error.msg.removesuffix(" at")


def table_rows(path: Path, report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line, row) of a table: CSV with comma, semicolon or tab, a workbook, JSONL, a JSON array of
    objects, or Parquet.
    """
    if not is_workbook(path) and (path.suffix.lower() not in TABLES or is_parquet(path)):
        for number, value in json_values(path, report):
            if isinstance(value, dict):
                yield number, value
            else:
                report.error(number, f"expected an object with fields, found {_kind(value)}")
        return
    yield from cell_rows(path, report)


def table_header(path: Path) -> list[str]:
    """Return the column names of a table's first line; empty if the file looks like JSON."""
    if is_workbook(path):
        return workbook_header(path)
    with open_plain(path) as stream:
        start = stream.read(LONGEST_HEADER).decode("utf-8-sig", "replace").lstrip()
    header = start.splitlines()[0] if start else ""
    if not header or header[0] in "[{":
        return []
    names = [name.strip() for name in header.split(max(",;\t", key=header.count))]
    if path.suffix.lower() in TABLES or (len(names) > 1 and all(map(COLUMN.fullmatch, names))):
        return [name.strip('"') for name in names]
    return []


def cell_rows(path: Path, report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line, row) of a table of cells. A row may span several lines with any line ends; `line` is its
    first.
    """
    if is_workbook(path):
        yield from workbook_rows(path, report)
        return
    if (foreign := foreign_start(path)) is not None:
        report.error(1, foreign)
        return
    with open_plain(path) as file:
        if file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8:
            report.notice(1, "the file begins with a byte-order mark; it was left out")
        file.seek(0)
        if (line := _line_outside_utf8(file)) is not None:
            report.error(line, NOT_UTF8)
            return
        file.seek(0)
        with io.TextIOWrapper(file, encoding="utf-8-sig") as text:  # makes \r and \r\n into \n
            yield from _rows_of_cells(text, file, report)


def _line_outside_utf8(file: BinaryIO) -> int | None:
    """Return the first line with a byte that is not UTF-8; None if all of the file is UTF-8. Checked before
    any row is used.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    line, after_return = 1, False
    while True:
        part = file.read(CHUNK)
        held = decoder.getstate()[0]  # the first bytes of a character that this part completes
        try:
            decoder.decode(part, final=not part)
        except UnicodeDecodeError as error:
            before = (held + part)[: error.start]
            begun = after_return and before.startswith(b"\n")
            return line + len(LINE_END.findall(before)) - begun
        if not part:
            return None
        line += len(LINE_END.findall(part)) - (after_return and part.startswith(b"\n"))
        after_return = part.endswith(b"\r")


def _rows_of_cells(
    text: TextIO, file: BinaryIO, report: ImportReport
) -> Iterator[tuple[int, dict[str, Any]]]:
    header = text.readline()
    if not header.strip():
        report.error(1, "the file is empty or has no header")
        return
    text.seek(0)
    rows = csv.reader(text, delimiter=max(",;\t", key=header.count))
    try:
        size = _size(file)
        names = next(rows)
        twice = find_second(names)
        if twice is not None:
            report.error(1, f"two columns have the name {shortened(twice)!r}; only the last would be read")
            return
        begins = rows.line_num + 1
        for number, cells in enumerate(rows, start=1):
            if number % TOLD == 0:
                report.tell(READING, file.tell(), size)
            line, begins = begins, rows.line_num + 1
            if len(cells) > len(names):
                report.error(line, "this row has more cells than the header has names")
            elif cells:
                yield line, dict(itertools.zip_longest(names, cells))
    except (csv.Error, UnicodeDecodeError) as error:  # UnicodeDecodeError: the file has just changed
        long = "field larger than field limit" in str(error)
        report.error(rows.line_num, TOO_LONG if long else f"the table can't be read: {error}")


def _size(stream: IO[bytes]) -> int:
    """Return the size of an open file in bytes."""
    return os.fstat(stream.fileno()).st_size


def shortened(text: str) -> str:
    """Return a text from the file cut to MAX_CHARACTERS_SHOWN (80), for use in a sentence."""
    return text if len(text) <= MAX_CHARACTERS_SHOWN else f"{text[:MAX_CHARACTERS_SHOWN]}…"


def _kind(value: object) -> str:
    return {
        list: "a list",
        str: "a text",
        int: "a number",
        float: "a number",
        bool: "true or false",
        type(None): "nothing",
    }.get(type(value), "something else")
