"""All importers: our own, one file each in data/importers/kinds, and those of other packages."""

from __future__ import annotations

import re

from configs.registry import ExtensionUnusable, Registry
from data.importers.importer import Importer
from data.importers.row_importers import (
    ConversationImporter,
    JudgementImporter,
    RatingImporter,
    ReferenceImporter,
    RowImporter,
)
from data.record.references import KINDS

GROUP = "second_reader.importers"
COMMAND = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
ENDING = re.compile(r"[a-z0-9]{1,12}")
STUDY_COMMAND = "study"  # imports a whole folder with the other importers
OWN_COMMANDS = (STUDY_COMMAND, "recognise", "mapping", "vera-mh-rubric")
BASES = (ConversationImporter, JudgementImporter, RatingImporter, ReferenceImporter)
# What another package may define; the program itself checks and writes rows.
OPEN = frozenset({"name", "title", "layout", "help", "order", "endings", "reference", "read", "recognises"})


def _check(kind: object, name: str, own: bool) -> Importer:
    if not (isinstance(kind, type) and issubclass(kind, Importer)):
        raise ExtensionUnusable("it is not a class that inherits from an importer")
    importer = kind()
    if own:
        return importer
    if not isinstance(importer, BASES) or kind in BASES:
        raise ExtensionUnusable(
            "it must inherit from ConversationImporter, JudgementImporter, RatingImporter or "
            "ReferenceImporter"
        )
    if importer.name != name:
        raise ExtensionUnusable(f"its name is {importer.name!r}")
    if not COMMAND.fullmatch(name) or name in OWN_COMMANDS:
        raise ExtensionUnusable(
            "its name must be small letters, digits and hyphens, and not that of another command"
        )
    for word in ("title", "layout", "help"):
        text = getattr(importer, word)
        if not isinstance(text, str) or not text.strip():
            raise ExtensionUnusable(f"its {word} must be a text")
    if (
        not isinstance(importer.endings, tuple)
        or not importer.endings
        or not all(isinstance(ending, str) and ENDING.fullmatch(ending) for ending in importer.endings)
    ):
        raise ExtensionUnusable('its endings must be a tuple of endings without the dot, such as ("csv",)')
    if isinstance(importer.order, bool) or not isinstance(importer.order, int):
        raise ExtensionUnusable("its order must be a whole number")
    if isinstance(importer, ReferenceImporter) and importer.reference not in KINDS:
        raise ExtensionUnusable(f"its reference must be one of {', '.join(KINDS)}")
    if importer.__class__.read is RowImporter.read:
        raise ExtensionUnusable("it has no method read")
    changed = sorted(_program_names(kind) & _changed_names(kind))
    if changed:
        raise ExtensionUnusable(f"it changes {changed[0]}, which is the program's")
    importer.page_key = name
    return importer


def _program_names(kind: type[Importer]) -> set[str]:
    """Return the names that the program's classes define and reserve."""
    own = [base for base in kind.__mro__ if base in (*BASES, RowImporter, Importer)]
    return {name for base in own for name in vars(base) if not name.startswith("__")} - OPEN


def _changed_names(kind: type[Importer]) -> set[str]:
    strangers = [base for base in kind.__mro__ if base not in (*BASES, RowImporter, Importer, object)]
    return {name for base in strangers for name in vars(base)}


IMPORTERS: Registry[Importer] = Registry(GROUP, "importer", "data.importers.kinds", "IMPORTER", _check)


def importers() -> list[Importer]:
    """Return all importers in the order in which they are offered: our own first."""
    entries = sorted(IMPORTERS.all(), key=lambda entry: (not entry.is_own, entry.spec.order))
    return [entry.spec for entry in entries]


def importers_on_page() -> dict[str, Importer]:
    """Return the importers that the Import page offers, by the key of their widgets."""
    return {importer.page_key: importer for importer in importers() if importer.title}
