"""The dropped file, kept for this tab while it is open, and what it was recognised as."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from data.importers import own_process
from data.importers.recognition import Recognition, recognise
from data.importers.table_files import TABLES
from data.store.incoming import IncomingFolder
from data.store.private_files import open_private
from pages.widgets import reader_session
from words.plurals import count

UPLOAD, KIND = "import-upload", "import-kind"
KILOBYTE = 1000
PART = 1 << 20  # bytes


@dataclass(frozen=True)
class Upload:
    """`path`: where the file is; its folder is deleted with the tab."""

    number: str
    name: str
    size: int
    path: Path
    recognition: Recognition


def ask_file() -> Upload | None:
    """Ask for a file and return it, recognised; None before there is one."""
    file = st.file_uploader("File", key="import-file", label_visibility="collapsed")
    if file is None:
        own_process.prepare()  # recognise the file at once
        st.session_state.pop(UPLOAD, None)
        return None
    earlier: Upload | None = st.session_state.get(UPLOAD)
    if earlier is not None and earlier.number == file.file_id and earlier.path.exists():
        return earlier
    folder = IncomingFolder(reader_session.store().path)
    path = folder.path / (Path(file.name).name or "file")
    with open_private(path, "wb") as target:
        while block := file.read(PART):
            target.write(block)
    file.seek(0)
    recognition = recognise(path)
    if recognition.sample.is_table and path.suffix.lower() not in TABLES:
        path = path.rename(f"{path}.csv")  # importers recognise a table by its file extension
    upload = Upload(file.file_id, file.name, file.size, path, recognition)
    weakref.finalize(upload, folder.remove)
    st.session_state[UPLOAD] = upload
    if recognition.importer is not None:
        st.session_state[KIND] = recognition.importer.page_key
    else:  # an earlier file's kind says nothing about this one
        st.session_state[KIND] = None
    return upload


def describe_size(size: int) -> str:
    """Return a size in bytes as text, such as "8.1 MB" or "12 bytes"."""
    if size < KILOBYTE:
        return count(size, "byte", "bytes")
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / KILOBYTE:.1f} kB"
