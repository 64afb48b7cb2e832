from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Memkit = Callable[..., Any]
TURNS = [
    {"type": "turn", "session": number, "speaker": "Ana", "text": f"This is session {number}."} for number in (1, 2, 3)
]


def write(path: Path, *lines: dict[str, Any]) -> None:
    """A data file of those lines."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_it_goes_on_with_what_is_new(memkit: Memkit, tmp_path: Path) -> None:
    """Run again it takes in the new sessions, says how many were there already, and refuses changed ones."""
    data = tmp_path / "talk.jsonl"
    command = ("build", "jsonl:talk.jsonl", "-o", "memory")
    write(data, *TURNS[:2])
    first = memkit(*command, cwd=tmp_path)
    assert (0, "memory: 2 units (2 stored); 2 files\n", "") == (first.returncode, first.stdout, first.stderr)

    write(data, *TURNS)
    more = memkit(*command, cwd=tmp_path)
    assert (0, "memory: 3 units (1 stored, 2 already there); 3 files\n") == (more.returncode, more.stdout)

    write(data, *TURNS[:2], {**TURNS[2], "text": "Changed."})
    changed = memkit(*command, cwd=tmp_path)
    why = "session 3 is already in the archive with other content"
    said = f"{why}\nmemory: 3 units (1 rejected, 2 already there); 3 files\n"
    assert (3, said) == (changed.returncode, changed.stdout)


def test_json(memkit: Memkit, tmp_path: Path) -> None:
    """What was stored, as JSON."""
    done = memkit("build", "demo", "--builder", "chunk-bm25", "-o", "memory", "--json", cwd=tmp_path)

    data = json.loads(done.stdout)
    assert {"stored": 10, "partial": 0, "rejected": 0, "known": 0} == data["units"]
    assert ("memory", []) == (data["memory"], data["reasons"])
    assert data["files"] > 10


def test_one_of_several_streams(memkit: Memkit, tmp_path: Path) -> None:
    """With several streams one must be named, and the names are told."""
    write(
        tmp_path / "two.jsonl", {"type": "stream", "id": "alpha"}, TURNS[0], {"type": "stream", "id": "beta"}, TURNS[0]
    )

    def error(*more: str) -> tuple[int, str]:
        done = memkit("build", "jsonl:two.jsonl", "-o", "memory", *more, cwd=tmp_path)
        return done.returncode, done.stderr

    assert (2, "memkit: there are 2 streams; choose one with --stream: alpha, beta\n") == error()
    assert (2, "memkit: no stream is called 'alpa'; did you mean 'alpha'?\n") == error("--stream", "alpa")
    assert not (tmp_path / "memory").exists()
    assert (0, "") == error("--stream", "beta")
    other = "memory holds 'beta' built by verbatim, not 'alpha' by verbatim; choose another directory"
    assert (2, f"memkit: {other}\n") == error("--stream", "alpha")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("dmo",), "no dataset is called 'dmo'; did you mean 'demo'?"),
        (("demo", "--builder", "verbatm"), "no builder is called 'verbatm'; did you mean 'verbatim'?"),
        (
            ("demo", "--model", "x"),
            "no model is called 'x'; there are: memkit/extractive, memkit/local, and any provider/model",
        ),
        (("demo", "-o", "taken"), "taken exists and is not an empty directory; choose another or remove it"),
    ],
)
def test_wrong_input(arguments: tuple[str, ...], message: str, memkit: Memkit, tmp_path: Path) -> None:
    """One sentence, and nothing is made."""
    (tmp_path / "taken").write_text("")
    done = memkit("build", "-o", "memory", *arguments, cwd=tmp_path)

    assert (2, f"memkit: {message}\n") == (done.returncode, done.stderr)
    assert ["taken"] == [path.name for path in tmp_path.iterdir()]
