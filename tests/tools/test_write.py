"""What the editing tools do beyond the documented texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memkit.records import Message
from memkit.store.files import Store
from memkit.tools.output import OUTPUT_CAP
from memkit.tools.write import write_tools

FILE = "/memories/a.md"
Call = Callable[..., Message]


def _rows(content: str) -> list[str]:
    return content.split("\n")[1:]


def test_create_makes_folders(store: Store, call: Call) -> None:
    """A new file brings the folders to it."""
    call("create", path="/memories/a/b/c.md", file_text="x")

    assert "x" == store.read("/memories/a/b/c.md")


def test_other_spelling(store: Store, call: Call) -> None:
    """A name that differs in case only is refused with the name it collides with, for a new and a moved file."""
    store.create(FILE, "x")
    store.create("/memories/b.md", "x")
    sentence = '"/memories/A.md" already exists as "a.md": names that differ only in case or accent form are one.'

    assert sentence == call("create", path="/memories/A.md", file_text="y").content
    assert sentence == call("rename", old_path="/memories/b.md", new_path="/memories/A.md").content


def test_replace_without_new_text(store: Store, call: Call) -> None:
    """Leaving the new text out, or sending null for it, removes the old."""
    store.create(FILE, "keep drop1 drop2\n")
    call("str_replace", path=FILE, old_str=" drop1")
    call("str_replace", path=FILE, old_str=" drop2", new_str=None)

    assert "keep\n" == store.read(FILE)


def test_overlapping_matches(store: Store, call: Call) -> None:
    """Matches that overlap are as ambiguous as any, and a line with several is named once."""
    store.create(FILE, "aaaa\n")
    result = call("str_replace", path=FILE, old_str="aaa", new_str="b")

    assert result.content.endswith("in lines: 1. Please ensure it is unique")
    assert "aaaa\n" == store.read(FILE)


def test_snippet_in_a_windows_file(store: Store, call: Call) -> None:
    """The snippet shows whole edited lines with two around them, and the file keeps its line breaks."""
    store.create(FILE, "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n")
    content = call("str_replace", path=FILE, old_str="4\n5", new_str="four\nand\nfive").content

    assert ["     2\t2", "     3\t3", "     4\tfour", "     5\tand", "     6\tfive", "     7\t6", "     8\t7"] == _rows(
        content
    )
    assert "1\r\n2\r\n3\r\nfour\r\nand\r\nfive\r\n6\r\n7\r\n" == store.read(FILE)


def test_snippet_of_nothing(store: Store, call: Call) -> None:
    """A file that an edit empties has no lines to show."""
    store.create(FILE, "all")

    assert "The memory file has been edited.\n" == call("str_replace", path=FILE, old_str="all").content


def test_long_snippet(store: Store, call: Call) -> None:
    """The snippet of a large edit is cut like any view."""
    store.create(FILE, "x\n")
    content = call("str_replace", path=FILE, old_str="x", new_str="line\n" * 5_000).content

    assert OUTPUT_CAP >= len(content)
    assert content.startswith("The memory file has been edited.\n     1\tline\n")
    assert content.endswith(", 5001]]")


def test_insert_takes_the_files_breaks(store: Store, call: Call) -> None:
    """Inserted lines stand on their own and take the breaks of the file."""
    store.create(FILE, "1\r\n2")
    call("insert", path=FILE, insert_line=2, insert_text="3\n4")

    assert ["1", "2", "3", "4"] == store.read(FILE).removesuffix("\r\n").split("\r\n")


def test_file_in_the_way(store: Store, call: Call) -> None:
    """Where a folder would be needed and a file is, the store's own sentence tells, for every command."""
    store.create(FILE, "x")
    sentence = '"/memories/a.md/b.md" does not exist: where it needs a folder there is a file.'

    assert sentence == call("create", path=f"{FILE}/b.md", file_text="y").content
    assert call("rename", old_path=FILE, new_path=f"{FILE}/b.md").is_error
    assert "x" == store.read(FILE)


def test_into_itself(store: Store, call: Call) -> None:
    """A folder does not move into itself."""
    store.create("/memories/a/b.md", "x")
    result = call("rename", old_path="/memories/a", new_path="/memories/a/c")

    assert result.is_error
    assert "a folder cannot move into itself" in result.content
    assert ["/memories/a/b.md"] == store.paths()


@pytest.mark.parametrize("slash", ["", "/"])
def test_root_stays(store: Store, call: Call, slash: str) -> None:
    """The root is neither deleted nor renamed, with or without a slash at its end."""
    store.create(FILE, "x")

    assert "Cannot delete the /memories directory itself" == call("delete", path=f"/memories{slash}").content
    assert (
        "Cannot rename the /memories directory itself"
        == call("rename", old_path=f"/memories{slash}", new_path="/memories/b").content
    )
    assert [FILE] == store.paths()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("create", {"path": "/memories/../x.md", "file_text": "x"}),
        ("create", {"path": "/memoriesX/x.md", "file_text": "x"}),
        ("insert", {"path": "/etc/hosts", "insert_line": 0, "insert_text": "x"}),
        ("str_replace", {"path": "/memories/%2e%2e/x", "old_str": "a"}),
        ("delete", {"path": "/memoriessub"}),
        ("rename", {"old_path": FILE, "new_path": "/tmp/x"}),
        ("create", {"path": "/memories/a\0b", "file_text": "x"}),
        ("create", {"path": "/memories/new.md", "file_text": "a\0b"}),
    ],
)
def test_outside(tmp_path: Path, store: Store, call: Call, name: str, arguments: dict[str, object]) -> None:
    """No command leaves the root or writes what cannot be read back; the text names no host path."""
    store.create(FILE, "x")
    result = call(name, **arguments)

    assert result.is_error
    assert str(tmp_path) not in result.content
    assert [FILE] == store.paths()


def test_frozen(store: Store) -> None:
    """Over a store open for reading only, a write is refused in a sentence."""
    tools = {tool.spec.name: tool for tool in write_tools(store.frozen())}
    with pytest.raises(Exception, match="open for reading only"):
        tools["create"].function(FILE, "x")  # type: ignore[attr-defined]
