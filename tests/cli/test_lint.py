from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memkit.memory import Memory

Memkit = Callable[..., Any]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A memory with a file to mend and one to look at."""
    made = Memory.create(tmp_path / "memory", builder="verbatim", plugin="agent-memkit 0", layout="tree")
    made.store.create("/memories/people/ana.md", "---\nname: bo\ndescription: A potter\n---\n\nsee /memories/no.md\n")
    made.store.create("/memories/clay.md", "---\nname: [\x1b\n---\n")
    return made


def test_a_clean_memory(memkit: Memkit, demo_memory: Path) -> None:
    """Nothing found is exit code 0."""
    done = memkit("lint", demo_memory)

    assert (0, "no findings\n", "") == (done.returncode, done.stdout, done.stderr)


def test_findings(memkit: Memkit, memory: Memory, tmp_path: Path) -> None:
    """A line a finding, by the file on disk and its line, and exit code 1; escape codes do no harm."""
    done = memkit("lint", "memory", "--ignore", "file", cwd=tmp_path)
    where = "memory/memories/people/ana.md"
    mend = "name a file that exists, or remove the reference"

    assert (1, "") == (done.returncode, done.stderr)
    assert "\x1b" not in done.stdout
    assert [
        f"{where}:2: frontmatter-name: the name is 'bo', not 'ana' as the file; write `name: ana`",
        f"{where}:6: reference-dangling: /memories/no.md does not exist; {mend}",
        "3 findings, 1 that --fix mends",
    ] == done.stdout.splitlines()[1:]


def test_choice_and_json(memkit: Memkit, memory: Memory) -> None:
    """Rules and families are chosen by name; JSON has every part of a finding."""
    done = memkit("lint", memory.path, "--select", "frontmatter,date", "--ignore", "frontmatter-unreadable", "--json")
    data = json.loads(done.stdout)

    assert (1, 1, 2, []) == (done.returncode, data["schema"], data["files"], data["fixed"])
    assert [
        {
            "path": "/memories/people/ana.md",
            "line": 2,
            "rule": "frontmatter-name",
            "message": "the name is 'bo', not 'ana' as the file",
            "mend": "write `name: ana`",
            "fixable": True,
            "file": str(memory.path / "memories" / "people" / "ana.md"),
        }
    ] == data["findings"]


def test_fix(memkit: Memkit, memory: Memory) -> None:
    """What is safe is mended once and told; the rest is still found, and what cannot be read is not rewritten."""
    bad = memory.store.read("/memories/clay.md")
    store = memory.path / "memories"
    first, second = memkit("lint", store, "--fix"), memkit("lint", store, "--fix")

    said = f"{store}/people/ana.md:2: frontmatter-name: fixed: the name is 'bo', not 'ana' as the file"
    assert (1, 1) == (first.returncode, second.returncode)
    assert said == first.stdout.splitlines()[0]
    assert first.stdout.splitlines()[1:-1] == second.stdout.splitlines()[:-1]
    assert "---\nname: ana\ndescription: A potter\n---\n\nsee /memories/no.md\n" == memory.store.read(
        "/memories/people/ana.md"
    )
    assert bad == memory.store.read("/memories/clay.md")
    assert 0 == memkit("lint", store, "--fix", "--select", "frontmatter-name").returncode


def test_a_bare_folder(memkit: Memkit, tmp_path: Path) -> None:
    """Any folder of markdown is checked and left as it is: without a memory there is no lock to mend under."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("A fact.\n")
    (notes / "b.png").write_bytes(b"\x89PNG\x00")
    found, refused = memkit("lint", "notes", cwd=tmp_path), memkit("lint", "notes", "--fix", cwd=tmp_path)

    assert "notes/a.md:1: frontmatter-missing: there is no frontmatter" == found.stdout.splitlines()[0].split(";")[0]
    assert (1, "1 finding") == (found.returncode, found.stdout.splitlines()[-1])
    why = "memkit: notes is no memory, so it has no lock to hold while files change; leave --fix out\n"
    assert (2, why) == (refused.returncode, refused.stderr)
    assert ["notes"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none"], "none is no directory; name a memory or a folder of markdown files"),
        ([".", "--select", "dates"], "'dates' is no rule; there are: frontmatter-missing"),
    ],
)
def test_usage(arguments: list[str], said: str, memkit: Memkit, tmp_path: Path) -> None:
    """Wrong use is one sentence and exit code 2."""
    done = memkit("lint", *arguments, cwd=tmp_path)

    assert (2, f"memkit: {said}") == (done.returncode, done.stderr.rstrip("\n").split(", frontmatter-late")[0])
