from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import asdict

from memkit.memory import Memory
from memkit.metrics.adherence import measure_adherence
from memkit.metrics.shape import measure_shape
from memkit.store.texts import read_texts

Memkit = Callable[..., Any]


def test_json(memkit: Memkit, demo_memory: Path) -> None:
    """The measures of the store, under their names."""
    done = memkit("measure", demo_memory, "--json")
    files, _ = read_texts(Memory.open(demo_memory).store)

    expected = {"shape": asdict(measure_shape(files)), "adherence": asdict(measure_adherence(files))}
    assert (0, {"schema": 1, **expected, "unreadable": {}}) == (done.returncode, json.loads(done.stdout))


def test_tables(memkit: Memkit, tmp_path: Path) -> None:
    """A bare folder is measured too: a line a measure, what cannot be measured is `-`, what cannot be read is told."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Tea\n\n## Milk\n\n## Rain\n\nsee /memories/b.md\n")
    (tmp_path / "notes" / "b.md").write_bytes(b"\xff\x1b")
    done = memkit("measure", "notes", cwd=tmp_path)
    lines = [line.split() for line in done.stdout.splitlines()]

    assert (0, "") == (done.returncode, done.stderr)
    assert "\x1b" not in done.stdout
    assert ["sections", "3"] in lines
    assert ["of", "these", "dangling", "1"] in lines
    assert ["mean", "leaf", "depth", "3.00"] in lines
    assert "-" == next(line for line in lines if line[:1] == ["B2"])[-1]
    assert "  /memories/a.md > Tea > Milk" in done.stdout.splitlines()
    assert 'left out: /memories/b.md: "/memories/b.md" is not UTF-8 text: the byte at 0 does not fit.' in done.stdout
