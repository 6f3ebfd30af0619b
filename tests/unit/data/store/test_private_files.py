"""What the program writes may be read by its owner only, whatever the umask."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.keeping.backup import backup
from data.store.private_files import make_folder, open_private, write_whole
from tests.studies.small_study import Small


@pytest.fixture(params=[0o000, 0o022, 0o177, 0o777], ids=oct, autouse=True)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("how", ["x", "w", "a"])
def test_a_file_is_0600_and_every_new_folder_above_it_0700(tmp_path: Path, how: str) -> None:
    make_folder(tmp_path / "a" / "b")
    with open_private(tmp_path / "a" / "b" / "file.csv", how, encoding="utf-8") as file:  # type: ignore[arg-type]
        file.write("words")
    assert [mode(tmp_path / name) for name in ("a", "a/b", "a/b/file.csv")] == [0o700, 0o700, 0o600]
    assert (tmp_path / "a/b/file.csv").read_text() == "words"


def test_what_is_there_keeps_its_mode_and_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o755)
    make_folder(tmp_path / "shared")
    path = tmp_path / "shared" / "file"
    open_private(path, "x").close()
    path.chmod(0o640)
    with open_private(path, "a") as file:
        file.write("more")
    with pytest.raises(FileExistsError):
        open_private(path, "x")
    assert (mode(tmp_path / "shared"), mode(path), path.read_text()) == (0o755, 0o640, "more")


def test_a_backup_is_0600(small: Small, tmp_path: Path) -> None:
    backup(small.store, tmp_path / "copy.sqlite")
    assert mode(tmp_path / "copy.sqlite") == 0o600


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    with pytest.raises(KeyboardInterrupt), write_whole(path) as part:
        part.write_text("half")
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())
    with write_whole(path) as part:
        part.write_text("whole")
        assert not path.exists()
    assert path.read_text() == "whole" and list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError), write_whole(path):
        raise AssertionError("it is not begun")
    assert path.read_text() == "whole"


def test_writing_a_file_leaves_every_other_file_as_it_is(tmp_path: Path) -> None:
    path, own = tmp_path / "table.csv", tmp_path / "table.csv.part"
    own.write_text("the user's")
    with write_whole(path) as part:
        part.write_text("whole")
    assert (path.read_text(), own.read_text()) == ("whole", "the user's")
    other = tmp_path / "other.csv"
    with pytest.raises(FileExistsError), write_whole(other) as part:
        part.write_text("ours")
        other.write_text("written meanwhile")
    assert other.read_text() == "written meanwhile"
    assert sorted(tmp_path.iterdir()) == [other, path, own]
