"""Views of folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.records import Message
from memkit.store.files import Store
from memkit.store.frontmatter import render
from memkit.tools.listing import DESCRIPTION_CAP, LISTING_CAP, human_size, list_folder
from memkit.tools.output import CLIPPED, OUTPUT_CAP

HEADER = "Here're the files and directories up to 2 levels deep in {}, excluding hidden items and node_modules:"


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0B"),
        (13, "13B"),
        (1023, "1023B"),
        (1024, "1K"),
        (1536, "1.5K"),
        (4096, "4K"),
        (1024 * 1024 - 1, "1M"),
        (1_258_291, "1.2M"),
        (3 * 1024**3, "3G"),
        (5_000 * 1024**3, "5000G"),
    ],
)
def test_human_size(size: int, shown: str) -> None:
    """Sizes are in units of 1024, with one decimal unless it is 0."""
    assert shown == human_size(size)


@given(st.integers(0, 1024**4 - 1))
def test_human_size_is_near(size: int) -> None:
    """What is shown is the size to within half of its last digit, and below 1024 of its unit."""
    shown = human_size(size)
    value, unit = float(shown[:-1]), 1024 ** "BKMG".index(shown[-1])

    assert abs(value * unit - size) <= 0.05 * unit + 1
    assert value < 1024 or shown[-1] == "G"


def test_empty_store(store: Store) -> None:
    """An empty store is its one line, not an error."""
    assert f"{HEADER.format('/memories')}\n0B\t/memories" == list_folder(store, "/memories", descriptions=True)


def test_two_levels(store: Store) -> None:
    """Two levels are listed in the order of the names; folders have the size of all below them and no slash."""
    for path in ["b.md", "a/x.md", "a/deep/y.md", "a/deep/er/z.md", "a.md"]:
        store.create(f"/memories/{path}", "12345")

    expected = [
        HEADER.format("/memories"),
        "25B\t/memories",
        "15B\t/memories/a",
        "10B\t/memories/a/deep",
        "5B\t/memories/a/x.md",
        "5B\t/memories/a.md",
        "5B\t/memories/b.md",
    ]
    assert expected == list_folder(store, "/memories", descriptions=False).split("\n")


def test_below_a_folder(store: Store) -> None:
    """The levels count from the folder that is viewed, and its size is of what is in it."""
    store.create("/memories/a/b/c/d.md", "1")
    store.create("/memories/e.md", "1")

    expected = [HEADER.format("/memories/a"), "1B\t/memories/a", "1B\t/memories/a/b", "1B\t/memories/a/b/c"]
    assert expected == list_folder(store, "/memories/a", descriptions=False).split("\n")


def test_hidden(tmp_path: Path) -> None:
    """Hidden names and node_modules are left out, wherever they come from."""
    root = tmp_path / "memories"
    for name in [".git/config", "node_modules/a.js", "a.md", ".hidden"]:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")

    assert [HEADER.format("/memories"), "1B\t/memories", "1B\t/memories/a.md"] == list_folder(
        Store(root), "/memories", descriptions=False
    ).split("\n")


def test_descriptions(store: Store, call: Callable[..., Message]) -> None:
    """A file that describes itself has its description as a third column, cut when it is very long."""
    store.create("/memories/ana.md", render("ana", "Ana:\twork and\nfamily") + "# Ana\n")
    store.create("/memories/bare.md", "# Nothing said\n")
    store.create("/memories/broken.md", "---\nname: [\n---\n")
    store.create("/memories/long.md", render("long", "é" * 1_000))
    rows = [row.split("\t")[1:] for row in call("view", path="/memories").content.split("\n")[2:]]

    assert [
        ["/memories/ana.md", "Ana: work and family"],
        ["/memories/bare.md"],
        ["/memories/broken.md"],
        ["/memories/long.md", f"{'é' * DESCRIPTION_CAP} {CLIPPED}700 characters]"],
    ] == rows


def test_not_text(tmp_path: Path) -> None:
    """A file that is no text is listed like any other."""
    root = tmp_path / "memories"
    root.mkdir()
    (root / "a.bin").write_bytes(b"---\nname: \xff\0")

    assert "12B\t/memories/a.bin" == list_folder(Store(root), "/memories", descriptions=True).split("\n")[-1]


def test_rows_left_out(tmp_path: Path) -> None:
    """Rows over a cap are counted by folder, and what is shown is the beginning of the whole listing."""
    root = tmp_path / "memories"
    for folder in "abc":
        (root / folder).mkdir(parents=True)
        for number in range(400):
            (root / folder / f"{number:03}").touch()
    listing = list_folder(Store(root), "/memories", descriptions=False)
    _, _, *rows, notice = listing.split("\n")
    whole = [f"/memories/{folder}{name}" for folder in "abc" for name in ["", *(f"/{n:03}" for n in range(400))]]

    assert [f"0B\t{path}" for path in whole[: len(rows)]] == rows
    assert len(whole) - len(rows) == int(notice[1:].split(" more: ")[0].replace(",", ""))
    assert len(rows) <= LISTING_CAP
    assert len(listing) <= OUTPUT_CAP
    assert notice.endswith("399 in /memories/c; view a folder or grep to find them]")


def test_row_cap(tmp_path: Path) -> None:
    """Not more than the cap of rows is listed, however short they are."""
    root = tmp_path / "memories"
    root.mkdir()
    for number in range(LISTING_CAP + 7):
        (root / f"{number:x}").touch()
    rows = list_folder(Store(root), "/memories", descriptions=False).split("\n")[2:]

    assert rows[-1].startswith(f"[{LISTING_CAP + 7 - len(rows) + 1:,} more: ")
    assert len(rows) - 1 <= LISTING_CAP
