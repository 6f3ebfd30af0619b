"""The contents of the bar: the pages that a person may open in a study, and links to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from urllib.parse import urlencode

from pages.widgets.help import topics

HOME, IMPORT, HELP = "studies", "importing", "help"
# On these pages letters are keys of labels, so no letter opens another page.
PAGES_WITH_LABEL_KEYS = ("review", "adjudication", "gold")


@dataclass(frozen=True)
class Entry:
    """A page by its name, with the letter that opens it after G."""

    page: str
    text: str
    letter: str


@dataclass(frozen=True)
class Menu:
    """Pages under one word."""

    text: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Permission:
    """What a rater may open besides their own work."""

    settle: bool
    own_agreement: bool
    whole_study: bool


STUDIES = Entry(HOME, "Studies", "h")
BRING_IN = Entry(IMPORT, "Import", "b")
OVERVIEW = Entry("overview", "Overview", "o")
MY_WORK, RATE = Entry("my_work", "My work", "w"), Entry("review", "Rate", "r")
SETTLE, AGREEMENT = Entry("adjudication", "Settle", "s"), Entry("agreement", "Agreement", "a")
METRICS, DRIFT = Entry("metrics", "Metrics", "m"), Entry("drift", "Drift", "d")
JUDGES = Menu("Judges", (Entry("judges", "Judges", "j"), Entry("runs", "Runs", "u")))
SET_UP = Menu(
    "Set-up",
    (
        Entry("lead", "Work and raters", "l"),
        Entry("plans", "Plans of care", "p"),
        Entry("instrument", "Instrument", "i"),
        BRING_IN,
    ),
)
OUTSIDE: tuple[Entry | Menu, ...] = (STUDIES, BRING_IN)
FOR_LEAD: tuple[Entry | Menu, ...] = (OVERVIEW, SETTLE, AGREEMENT, METRICS, DRIFT, JUDGES, SET_UP)


def for_rater(permission: Permission) -> tuple[Entry | Menu, ...]:
    """Return the entries of the bar for a rater: my work, rate, settle, agreement, metrics, drift, judges.

    Settle is there with the permission to settle, agreement with that to see one's own agreement or the
    whole study, drift and judges only with the latter.
    """
    return (
        MY_WORK,
        RATE,
        *((SETTLE,) if permission.settle else ()),
        *((AGREEMENT,) if permission.own_agreement or permission.whole_study else ()),
        METRICS,
        *((DRIFT, JUDGES) if permission.whole_study else ()),
    )


def pages_of(entries: Sequence[Entry | Menu]) -> list[str]:
    """Return the names of all pages in the entries, those in menus included."""
    return [entry.page for item in entries for entry in (item.entries if isinstance(item, Menu) else (item,))]


@dataclass(frozen=True)
class BarLink:
    """A plain click sends `page` and `study`; `address` is for a new tab."""

    text: str
    page: str
    study: str
    address: str
    letter: str
    current: bool


@dataclass(frozen=True)
class BarMenu:
    text: str
    current: bool
    links: list[BarLink]


@dataclass(frozen=True)
class BarContents:
    """All data of the bar. `study`: its title, "" outside a study. `person` and `role`: "" before a name is
    chosen. `change` counts changes of `cookie`, which the browser keeps; 0 for none.
    """

    study: str
    studies: list[BarLink]
    pages: list[BarLink | BarMenu]
    home: BarLink
    help: BarLink
    person: str
    role: str
    letters: bool
    cookie: str
    change: int

    def data(self) -> dict[str, object]:
        """Return all fields as a dictionary for the component."""
        return asdict(self)


def address(page: str, study: str, reader: str, **more: str) -> str:
    """Return the address of a page, relative as all addresses within the app: "agreement?study=a&reader=b".

    Values are quoted for an address, empty ones left out, and without any there is no "?". The page HOME is
    "./".
    """
    query = urlencode(
        {name: value for name, value in {"study": study, "reader": reader, **more}.items() if value}
    )
    path = "./" if page == HOME else page
    return f"{path}?{query}" if query else path


def links(entries: Sequence[Entry | Menu], current: str, study: str, reader: str) -> list[BarLink | BarMenu]:
    """Return the entries as links and menus; `current` is the page that is open."""

    def link(entry: Entry) -> BarLink:
        to_study = ("", "") if entry.page == HOME else (study, reader)
        return BarLink(
            entry.text,
            entry.page,
            to_study[0],
            address(entry.page, *to_study),
            entry.letter,
            entry.page == current,
        )

    return [
        BarMenu(item.text, current in pages_of([item]), [link(entry) for entry in item.entries])
        if isinstance(item, Menu)
        else link(item)
        for item in entries
    ]


def help_link(page: str, study: str, reader: str) -> BarLink:
    """Return the link to the help on the current page."""
    query = topics.section_for(page).query()
    return BarLink("Help", HELP, study, address(HELP, study, reader, **query), "?", page == HELP)


def study_links(studies: Sequence[tuple[str, str]], page: str, chosen: str) -> list[BarLink]:
    """Return a link per study. A page of a study stays open in the other one. `studies`: key and title."""
    return [BarLink(title, page, key, address(page, key, ""), "", key == chosen) for key, title in studies]
