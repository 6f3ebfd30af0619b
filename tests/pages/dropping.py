"""Dropping a file on the Import page, in the test harness."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def drop(at: AppTest, name: str, content: str | bytes) -> AppTest:
    """The file is looked into, and checked as far as everything is said that this needs."""
    data = content if isinstance(content, bytes) else content.encode()
    return at.file_uploader(key="import-file").set_value([(name, data, "text/plain")]).run()


def is_checked(at: AppTest) -> bool:
    """Whether the page asked the store about the file, or could."""
    return "import-check" in at.session_state or any(button.key == "import-go" for button in at.button)
