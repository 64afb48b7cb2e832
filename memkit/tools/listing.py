"""A folder as a model sees it: what is in it two levels deep, how large, and what each file is about.

The memory tool's documented form is followed: folders have no "/" at the end, and the size of a folder is that
of the files below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from memkit.errors import StoreError
from memkit.store.files import Entry, Store
from memkit.store.frontmatter import describe
from memkit.tools.output import NOTICE_ROOM, OUTPUT_CAP, clip, fit_rows

LISTING_CAP = 1_000
"""Rows of one listing."""

HEADER = "Here're the files and directories up to 2 levels deep in {}, excluding hidden items and node_modules:"
DEPTH = 2
DESCRIPTION_CAP = 300
"""Characters shown of one description."""

_FOLDERS_NAMED = 5
_NOTICE_ROOM = 2 * NOTICE_ROOM
_UNIT = 1024


def list_folder(store: Store, path: str, *, descriptions: bool) -> str:
    """The listing of the folder `path`, in the order of the names; with `descriptions`, a third column of them.

    Rows past LISTING_CAP or the output cap are counted by folder. Raises StoreError.
    """
    entries = store.entries(path, depth=DEPTH)
    whole = sum(entry.size for entry in entries if entry.path.count("/") == path.count("/") + 1)
    shown = entries[:LISTING_CAP]
    about = _descriptions(store, shown) if descriptions else {}
    rows = [f"{human_size(entry.size)}\t{entry.path}{about.get(entry.path, '')}" for entry in shown]
    head = [HEADER.format(path), f"{human_size(whole)}\t{path}"]
    room = OUTPUT_CAP - sum(len(line) + 1 for line in head)
    if len(shown) < len(entries) or fit_rows(rows, room) < len(rows):
        rows = rows[: fit_rows(rows, room - _NOTICE_ROOM)]
        rows.append(_left_out(entries[len(rows) :]))
    return "\n".join(head + rows)


def human_size(size: int) -> str:
    """`size` bytes in units of 1024 with at most one decimal: `0B`, `13B`, `4K`, `1.5K`, `1.2M`."""
    value, unit = float(size), "B"
    for larger in "KMG":
        # 1023.96 would be shown as 1024.
        if round(value, 1) < _UNIT:
            break
        value, unit = value / _UNIT, larger
    return f"{value:.1f}".removesuffix(".0") + unit


def _descriptions(store: Store, entries: Sequence[Entry]) -> dict[str, str]:
    """The column after the path of each file that describes itself."""
    signatures = store.scan()
    found = {}
    for entry in entries:
        if entry.path not in signatures:
            continue
        try:
            text = store.load(entry.path, signatures[entry.path]).decode(errors="replace")
        except StoreError:
            continue  # Gone or grown too large since the walk: it is listed all the same.
        if description := describe(text):
            found[entry.path] = f"\t{clip(description, DESCRIPTION_CAP)}"
    return found


def _left_out(entries: Sequence[Entry]) -> str:
    folders = Counter(entry.path.rpartition("/")[0] for entry in entries)
    named = [f"{count:,} in {clip(folder, 80)}" for folder, count in islice(folders.items(), _FOLDERS_NAMED)]
    others = len(folders) - len(named)
    if others:
        named.append(f"the rest in {others:,} other folders")
    return f"[{len(entries):,} more: {', '.join(named)}; view a folder or grep to find them]"
