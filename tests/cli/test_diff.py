from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

Memkit = Callable[..., Any]


def changed(guarded: Path, folder: Path) -> Path:
    """A copy of a run made by another version, under another spec."""
    shutil.copytree(guarded, folder)
    lock = json.loads((folder / "lock.json").read_text())
    (folder / "lock.json").write_text(json.dumps({**lock, "memkit": "9.9\x1b[2J"}))
    return folder


def test_diff(guarded: Path, memkit: Memkit, tmp_path: Path) -> None:
    """What changed, the arms of one label against themselves, and how many questions both have."""
    done = memkit("diff", guarded, changed(guarded, tmp_path / "guard-2"))
    lines = done.stdout.splitlines()

    assert (0, "") == (done.returncode, done.stderr)
    assert any(line.startswith(" made with.memkit ") and "9.9\ufffd[2J" in line for line in lines)
    assert "guard-2 minus " + guarded.name + ": answer f1" in lines
    assert "9 questions in both" in lines


def test_json(guarded: Path, memkit: Memkit, tmp_path: Path) -> None:
    """The same as JSON."""
    data = json.loads(memkit("diff", guarded, changed(guarded, tmp_path / "guard-2"), "--json").stdout)

    assert (1, 9, ["made with.memkit"]) == (
        data["schema"],
        data["questions"],
        [one["where"] for one in data["changes"]],
    )
    assert {0.0} == {one["difference"]["mean"] for one in data["contrasts"]}


def test_the_same_run(guarded: Path, memkit: Memkit) -> None:
    """A run is no other than itself."""
    said = memkit("diff", guarded, guarded).stdout.splitlines()[0]
    assert "the two runs have the same spec and were made with the same versions and prompts" == said
