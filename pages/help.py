"""Help: the docs inside the app, one section at a time, with a search."""

from __future__ import annotations

import streamlit as st

from pages.widgets import untrusted_text
from pages.widgets.help import topics
from pages.widgets.help.topics import REFERENCE, TITLES, HelpSection, Picture

MAX_SECTIONS_FOUND = 12  # sections in a search result


def render() -> None:
    """Draw the Help page."""
    section = topics.find_section(st.query_params.get("topic", ""), st.query_params.get("section", ""))
    with st.container(key="answer-page"):
        contents, text = st.columns([3, 8], gap="large")
        with contents, st.container(key="help-contents", gap="small"):
            _contents(section)
        with text, st.container(key="help-text"):
            _show(section)


def _context() -> dict[str, str]:
    """Return the study and reader of the address, so that links keep them."""
    return {name: st.query_params[name] for name in ("study", "reader") if name in st.query_params}


def _contents(chosen: HelpSection) -> None:
    words = st.text_input(
        "Search the help", key="help-words", placeholder="Search the help", label_visibility="collapsed"
    )
    if words.strip():
        matching = topics.search_sections(words)
        if not matching:
            untrusted_text.paragraph("No section has all of these words. Try fewer.", small=True)
        for section in matching[:MAX_SECTIONS_FOUND]:
            topic = f" · {TITLES[section.topic]}" if section.name else ""
            _link(section, f"{section.title}{topic}")
        return
    with st.container(gap=None):
        for topic in TITLES:
            listed = topics.sections_of(topic)
            if topic == REFERENCE:
                untrusted_text.paragraph("Reference", small=True)
            _link(listed[0], TITLES[topic], None if listed[0].name else chosen)
            if topic == chosen.topic:
                with st.container(key="help-sections", gap=None):
                    for section in listed:
                        if section.name:
                            _link(section, section.title, chosen)


def _link(section: HelpSection, label: str, chosen: HelpSection | None = None) -> None:
    text = untrusted_text.plain(label)
    st.page_link(
        st.session_state["page_help"],
        label=f"**{text}**"
        if section == chosen
        else text,  # Streamlit marks every link to this page as the current one
        query_params={**_context(), **section.query()},
    )


def _show(section: HelpSection) -> None:
    if section.name:
        untrusted_text.paragraph(TITLES[section.topic], small=True)
    untrusted_text.heading(section.title, 1)
    for part in topics.parts(section, _context()):
        if isinstance(part, Picture):
            st.image(part.path, alt=part.words)
        else:
            st.markdown(part)  # noqa: TID251 - the docs of this program, not text from outside
    listed = topics.sections_of(section.topic)
    after = listed[listed.index(section) + 1 :]
    if after:
        _link(after[0], f"Next: {after[0].title}")
