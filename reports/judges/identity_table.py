"""Who a judge is: its names, and everything whose change makes another judge of it."""

from __future__ import annotations

from data.record.judgements import Judge
from reports.document import Table

IDENTITY = {
    "provider": "Provider",
    "model": "Model asked for",
    "prompt": "Prompt, version and hash",
    "instrument": "Instrument",
    "parser": "How replies are read",
}


def numbered_title(judge: Judge) -> str:
    """Return "NAME, MODEL (judge 3)", which distinguishes the judge from every other one."""
    return f"{judge.title} (judge {judge.id})"


def identity_table(judge: Judge, key: str) -> Table:
    """Return the table `key` of name and value: first the parts of the judge's identity in IDENTITY,
    "unknown" for a missing one, then its parameters, sorted.
    """
    parameters = judge.identity.get("parameters") or {}
    rows = [(word, str(judge.identity.get(name, "unknown"))) for name, word in IDENTITY.items()]
    rows += [(name.replace("_", " "), _value(value)) for name, value in sorted(parameters.items())]
    return Table(key, "Identity: any change here makes another judge", ("", ""), rows)


def _value(value: object) -> str:
    """A parameter, or the safety settings category by category."""
    if not isinstance(value, dict):
        return str(value)
    return ", ".join(
        f"{name.removeprefix('HARM_CATEGORY_').lower().replace('_', ' ')} {level}"
        for name, level in value.items()
    )
