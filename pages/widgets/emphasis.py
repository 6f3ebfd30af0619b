"""Bold and italic as models write them, with asterisks. Nothing else of Markdown means anything.

The rating page draws the same in workbench/emphasis.js, where the asterisks stay in the text, hidden.
"""

from __future__ import annotations

import re
from html import escape

# Of one line; begins and ends at a word or a sign, so that "2 * 3 * 4" stays what it is.
_EMPHASIS = re.compile(
    r"(?<![*\w])(?:"
    r"\*\*(?=\S)(?P<bold>[^*\n]*[^*\s])\*\*"
    r"|\*(?=[^\s*])(?P<italic>[^*\n]*[^*\s])\*"
    r")(?![*\w])",
    re.ASCII,
)


def html_of(text: str) -> str:
    """A text from outside as HTML: every character escaped, what stands between asterisks bold or italic."""
    parts, end = [], 0
    for match in _EMPHASIS.finditer(text):
        tag = "strong" if match["bold"] else "em"
        parts += [escape(text[end : match.start()]), f"<{tag}>{escape(match[match.lastgroup or 0])}</{tag}>"]
        end = match.end()
    return "".join(parts) + escape(text[end:])
