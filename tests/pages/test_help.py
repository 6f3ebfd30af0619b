"""The docs in the app: every section has an address, every link leads somewhere, and each page has its help."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.widgets.help import topics
from pages.widgets.help.topics import HELP_OF, LINK, TITLES, HelpSection, Picture
from pages.widgets.navigation import PAGES
from tests.pages.conftest import BarOfTest

App = Callable[..., AppTest]
SECTIONS = topics.sections()


def text_of_parts(section: HelpSection, query: dict[str, str]) -> str:
    return " ".join(part for part in topics.parts(section, query) if isinstance(part, str))


def shown(at: AppTest) -> str:
    """What the page says beside its contents."""
    return " ".join(element.value for element in at.markdown)


def test_each_section_is_found_by_its_address() -> None:
    assert len(SECTIONS) > 50 and {section.topic for section in SECTIONS} == set(TITLES)
    assert max(Counter(section.address for section in SECTIONS).values()) == 1
    for section in SECTIONS:
        query = parse_qs(urlsplit(section.address).query)
        assert topics.find_section(query["topic"][0], query.get("section", [""])[0]) is section


def test_no_word_of_a_document_is_lost() -> None:
    for topic in TITLES:
        document = (topics.FOLDER / f"{topic}.md").read_text(encoding="utf-8")
        whole = "".join(
            (f"## {section.title}" if section.name else "") + section.text
            for section in topics.sections_of(topic)
        )
        assert whole.split() == document.split()[len(document.split("\n")[0].split()) :]


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("studies", "help")])
def test_each_page_has_its_paragraph(page: str) -> None:
    assert HELP_OF[page] in {(section.topic, section.name) for section in SECTIONS}


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.address)
def test_links_lead_on_inside_the_help_or_to_the_web(section: HelpSection) -> None:
    addresses = {other.address for other in SECTIONS}
    for words, target in LINK.findall(text_of_parts(section, {})):
        assert words and (target in addresses or target.startswith("https://")), target
    for _, target in LINK.findall(topics.PICTURE.sub("", section.text)):
        file, _, name = target.partition("#")
        if name and (file.removesuffix(".md") or section.topic) in TITLES:
            section_of_link = topics.find_section(file.removesuffix(".md") or section.topic, name)
            assert name in (section_of_link.name, *section_of_link.headings), target
    assert "$" not in re.sub(r"`[^`]*`", "", section.text), "it would be read as a formula"


def test_links_keep_the_study() -> None:
    linked = next(section for section in SECTIONS if "](statistics.md)" in section.text)
    text = text_of_parts(linked, {"study": "lend_an_ear"})
    assert "](help?study=lend_an_ear&topic=statistics)" in text


def test_pictures_stand_where_the_document_has_them_and_say_in_words_what_they_show() -> None:
    rate_blind = topics.find_section("raters", "rate-blind")
    before, picture, after = topics.parts(rate_blind, {})
    assert before == "\n\n" and isinstance(after, str) and after.startswith("\n\nYour list and the time left")
    assert picture == Picture(
        topics.FOLDER / "images" / "review-blind.png",
        "A conversation in the middle, the questions at the right",
    )
    pictures = [
        part for section in SECTIONS for part in topics.parts(section, {}) if isinstance(part, Picture)
    ]
    assert len(pictures) > 5 and all(picture.words and picture.path.is_file() for picture in pictures)


def test_the_page_shows_the_pictures_of_a_section(app: App) -> None:
    at = app("help", topic="raters", section="rate-blind")
    assert not at.exception
    (picture,) = at.get("image")
    assert picture.proto.imgs[0].alt == "A conversation in the middle, the questions at the right"


@pytest.mark.parametrize(
    ("words", "first"),
    [("agreement reading", "Reading the agreement"), ("CALIBRATION", "Calibration"), ("step-f1", "Step-F1")],
)
def test_a_search_shows_the_section_with_the_word_in_its_heading_first(words: str, first: str) -> None:
    matching = topics.search_sections(words)
    assert matching[0].title == first
    for section in matching:
        assert all(word in f"{section.title} {section.text}".lower() for word in words.lower().split())


def test_a_search_for_nothing_and_for_what_is_nowhere_shows_nothing() -> None:
    assert topics.search_sections("  ") == [] and topics.search_sections("agreement xyzzy") == []


def test_the_page_shows_one_section_and_the_way_to_the_next(app: App) -> None:
    at = app("help", topic="guide", section="reading-the-agreement")
    assert "how far may this judge be trusted?" in shown(at) and "Who sat where" not in shown(at)
    at.text_input(key="help-words").set_value("xyzzy").run()
    assert not at.exception
    assert "Rating, in five minutes" not in [getattr(link, "label", "") for link in at.get("page_link")]


@pytest.mark.parametrize("query", [{}, {"topic": "nothing"}, {"topic": "guide", "section": "<b>"}])
def test_an_address_that_names_nothing_shows_the_guide(app: App, query: dict[str, str]) -> None:
    at = app("help", **query)
    assert not at.exception
    assert "Coaching rubric, worked example" in topics.sections_of("guide")[0].text
    assert "Coaching rubric, worked example" in shown(at)


def test_the_bar_leads_to_the_paragraph_of_the_page(app: App, bar: BarOfTest) -> None:
    at = app("agreement", study="lend_an_ear", reader="lead")
    assert bar.shown is not None
    assert bar.shown.help.address == (
        "help?study=lend_an_ear&reader=lead&topic=guide&section=reading-the-agreement"
    )
    at = bar.press(at, "help")
    assert not at.exception and "how far may this judge be trusted?" in shown(at)
    assert bar.shown.study == "Lend an Ear" and bar.shown.help.current
    app("studies")
    assert bar.shown.help.address == "help?topic=guide&section=rating-in-five-minutes"


def test_commands_stand_in_the_last_part_of_what_leads_read() -> None:
    for topic in ("guide", "leads", "judges"):
        *pages_of_the_app, terminal = topics.sections_of(topic)
        assert terminal.title == "In a terminal"
        assert not [section.title for section in pages_of_the_app if "second-reader " in section.text]
