"""What no report may say, whatever the study."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reports.document import Forest, Heat, Paragraph, Report, Table
from reports.render.page_file import text

NO_NUMBER = re.compile(r"(?<![A-Za-z])(nan|NaN|inf|-inf|Infinity|None|numpy|dtype|np\.\w+)(?![A-Za-z])")
PERCENT = re.compile(r"\d%")
COUNT = re.compile(r"(?<![\d.,])\d[\d,]*(?![\d.,]*\d|%| %|\.\d)")
SAME_LABELS = "Guessing at random, using each label as often as it was given, would agree on"  # stands under the sentence whose labels it speaks of


def lines(report: Report) -> Iterator[str]:
    """Every text of a report: a sentence, a caption, a header or a row of a table at a time."""
    yield from (report.title, *report.header, *report.cautions)
    for section in report.sections:
        yield section.title
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield block.text
            elif isinstance(block, Table):
                yield block.caption
                yield " | ".join(block.header)
                yield from (" | ".join(text(cell) for cell in row) for row in block.rows)
            elif isinstance(block, Forest):
                yield from (block.title, block.axis, *(f"{row.name} | {row.beside}" for row in block.rows))
            elif isinstance(block, Heat):
                yield from (
                    block.title,
                    " | ".join(block.across),
                    *(
                        " | ".join((name, *cells))
                        for name, cells in zip(block.down, block.texts, strict=True)
                    ),
                )


def complaints(report: Report) -> list[str]:
    """What is wrong with the words of a report; empty where nothing is."""
    problems = [f"no number: {line}" for line in lines(report) if NO_NUMBER.search(line)]
    for section in report.sections:
        for block in section.blocks:
            sentences = (
                [block.text]
                if isinstance(block, Paragraph)
                else [" | ".join(text(c) for c in row) for row in block.rows]
                if isinstance(block, Table)
                else []
            )
            problems += [
                f"a percent without its count: {sentence}"
                for sentence in sentences
                if PERCENT.search(sentence)
                and not COUNT.search(re.sub(r"\d+% (limit|interval)|[\d.]+%( to [\d.]+%)?", "", sentence))
                and SAME_LABELS not in sentence
            ]
    return problems
