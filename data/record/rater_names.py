"""Names of raters as a person types several into a field."""

from __future__ import annotations

import re
from collections.abc import Collection

from data.record.studies import name_key
from data.store.errors import Refused

MAX_NAMES = 1_000


def split_names(*texts: str) -> tuple[str, ...]:
    """Return the names in the texts, separated by commas, semicolons or line ends, each once, without extra
    blanks.
    """
    names = (" ".join(name.split()) for text in texts for name in re.split(r"[,;\r\n]", text))
    return tuple(dict.fromkeys(name for name in names if name))


def refuse_unusable_names(names: Collection[str]) -> None:
    """Raise Refused for more than MAX_NAMES (1,000) names, or two that differ only in letter case, blanks
    or accents' form.
    """
    if len(names) > MAX_NAMES:
        raise Refused("too_many_names", most=MAX_NAMES, count=len(names))
    spellings: dict[str, str] = {}
    for name in names:
        first = spellings.setdefault(name_key("".join(name.split())), name)
        if first != name:
            raise Refused("names_alike", first=first, name=name)
