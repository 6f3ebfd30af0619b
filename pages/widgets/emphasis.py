"""Bold and italic as models write them, with asterisks. No other Markdown is read.

The rating page does the same in workbench/emphasis.js, where the asterisks stay in the text, hidden.
"""

from __future__ import annotations

import re
from html import escape

# What JavaScript calls white space, besides ASCII's.
_SPACE = r"\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
# Within one line; begins and ends at a word or a sign, so that "2 * 3 * 4" stays as it is.
_EMPHASIS = re.compile(
    r"(?<![*\w])(?:"
    rf"\*\*(?=[^{_SPACE}])(?P<bold>[^*\n]*[^*{_SPACE}])\*\*"
    rf"|\*(?=[^{_SPACE}*])(?P<italic>[^*\n]*[^*{_SPACE}])\*"
    r")(?![*\w])",
    re.ASCII,
)


def html_of(text: str) -> str:
    """Return text from outside as HTML: escaped, with words between asterisks bold or italic."""
    parts, end = [], 0
    for match in _EMPHASIS.finditer(text):
        tag = "strong" if match["bold"] else "em"
        parts += [escape(text[end : match.start()]), f"<{tag}>{escape(match[match.lastgroup or 0])}</{tag}>"]
        end = match.end()
    return "".join(parts) + escape(text[end:])
