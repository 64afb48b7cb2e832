from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memkit.memory import Memory

Memkit = Callable[..., Any]


def test_files_with_size_and_description(memkit: Memkit, demo_memory: Path) -> None:
    """A line a file, under what the memory is of."""
    lines = memkit("tree", demo_memory).stdout.splitlines()

    assert "/memories  (demo, built by verbatim, 10 units)" == lines[0]
    assert 11 == len(lines)
    size = (demo_memory / "memories" / "session_01.md").stat().st_size
    assert lines[1].startswith(f"  session_01.md  {size:,} B  Session 1, 2024-09-14")


def test_json(memkit: Memkit, demo_memory: Path) -> None:
    """The same as JSON."""
    data = json.loads(memkit("tree", demo_memory, "--json").stdout)

    assert ("verbatim", "flat", "demo", 10) == (data["builder"], data["layout"], data["stream"], data["units"])
    assert 10 == len(data["files"])
    assert ("/memories/session_01.md", False) == (data["files"][0]["path"], data["files"][0]["folder"])


def test_folders_and_hostile_files(memkit: Memkit, tmp_path: Path) -> None:
    """Folders are shown with what is in them; escape codes in a description and files that are no text do no harm."""
    memory = Memory.create(tmp_path / "memory", builder="verbatim", plugin="agent-memkit 0", layout="tree")
    memory.store.create("/memories/people/ana.md", '---\nname: ana\ndescription: "\\e[2JAna"\n---\n')
    (tmp_path / "memory" / "memories" / "binary.md").write_bytes(b"\xff\x00")
    done = memkit("tree", "memory", cwd=tmp_path)

    assert (0, "") == (done.returncode, done.stderr)
    assert "\x1b" not in done.stdout
    lines = [line.split() for line in done.stdout.splitlines()[1:]]
    assert ["binary.md", "people/", "ana.md"] == [words[0] for words in lines]


def test_no_memory(memkit: Memkit, tmp_path: Path) -> None:
    """A folder that is no memory is told in a sentence."""
    done = memkit("tree", tmp_path)

    assert (2, f"memkit: {tmp_path} is not a memory: it has no memory.toml; `memkit build` makes one\n") == (
        done.returncode,
        done.stderr,
    )
