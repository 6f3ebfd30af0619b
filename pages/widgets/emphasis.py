"""Bold and italic as models write them, with asterisks. Nothing else of Markdown means anything.

The rating page draws the same in workbench/emphasis.js, where the asterisks stay in the text, hidden.
"""

from __future__ import annotations

import re
from html import escape

# What a script calls white space, beside that of ASCII.
_SPACE = r"\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
# Of one line; begins and ends at a word or a sign, so that "2 * 3 * 4" stays what it is.
_EMPHASIS = re.compile(
    r"(?<![*\w])(?:"
    rf"\*\*(?=[^{_SPACE}])(?P<bold>[^*\n]*[^*{_SPACE}])\*\*"
    rf"|\*(?=[^{_SPACE}*])(?P<italic>[^*\n]*[^*{_SPACE}])\*"
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
