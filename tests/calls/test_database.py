"""The file is made whole, recognised, and refused in words."""

from __future__ import annotations

import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from memkit.calls.database import SCHEMA, open_database
from memkit.calls.store import CallStore
from memkit.errors import UserError


def test_made_whole_and_private(tmp_path: Path) -> None:
    """A new file is for its owner alone, in WAL mode, and nothing else is left beside it."""
    path = tmp_path / "run" / "calls.db"
    with closing(open_database(path)) as connection:
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]

    assert "wal" == mode
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert ["calls.db"] == [file.name for file in path.parent.iterdir()]


def test_made_by_many_at_once(tmp_path: Path) -> None:
    """Whoever comes first makes the file, and all use the same one."""
    path = tmp_path / "calls.db"

    def work(number: int) -> None:
        with closing(open_database(path)) as connection:
            connection.execute("INSERT INTO parts VALUES (?, '')", (str(number),))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(24)))
    with closing(open_database(path)) as connection:
        assert 24 == connection.execute("SELECT count(*) FROM parts").fetchone()[0]
    assert ["calls.db"] == [file.name for file in tmp_path.iterdir()]


def test_another_schema(tmp_path: Path) -> None:
    """A file of another version of memkit is refused, and left as it is."""
    path = tmp_path / "calls.db"
    with closing(open_database(path)) as connection:
        connection.execute("PRAGMA user_version = 9")
    before = path.read_bytes()
    with pytest.raises(UserError) as caught:
        CallStore(path)

    assert (
        f"{path} was written by another version of memkit (schema 9; this one knows {SCHEMA});"
        " use that version, or another file"
    ) == str(caught.value)
    assert before == path.read_bytes()


@pytest.mark.parametrize("content", [b"", None], ids=["empty", "of others"])
def test_a_file_of_others(tmp_path: Path, content: bytes | None) -> None:
    """A database that is not ours is never written to."""
    path = tmp_path / "calls.db"
    if content is None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE theirs (x)")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(UserError) as caught:
        CallStore(path)

    assert f"{path} is not a store of recorded calls; name another file" == str(caught.value)
    assert before == path.read_bytes()


def test_no_database(tmp_path: Path) -> None:
    """A file that is no database is called damaged, with the mend."""
    path = tmp_path / "calls.db"
    path.write_bytes(b"not a database, but long enough to look at" * 100)
    with pytest.raises(UserError) as caught:
        CallStore(path)

    assert (
        f"{path} is damaged (file is not a database); move it away, with the files calls.db-wal and calls.db-shm"
        " beside it, and run again: the calls recorded in it are then made, and paid for, anew"
    ) == str(caught.value)


def test_a_place_that_cannot_be_used(tmp_path: Path) -> None:
    """A path below a file is named in the error."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError) as caught:
        CallStore(tmp_path / "file" / "calls.db")

    assert str(caught.value).startswith(f"{tmp_path / 'file' / 'calls.db'} cannot be used: ")


def test_a_folder(tmp_path: Path) -> None:
    """A folder in the place of the file is an error in words."""
    (tmp_path / "calls.db").mkdir()
    with pytest.raises(UserError) as caught:
        CallStore(tmp_path / "calls.db")

    assert f"{tmp_path / 'calls.db'} cannot be used: unable to open database file; mend that and run again" == str(
        caught.value
    )
