from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Memkit = Callable[..., Any]
QUESTION = "What is the name of Jonas's dog?"


def test_an_answer(memkit: Memkit, demo_memory: Path) -> None:
    """The answer is printed with its citations, and asking changes no file of the store."""
    before = {path: path.read_bytes() for path in (demo_memory / "memories").iterdir()}
    done = memkit("ask", demo_memory, QUESTION)

    assert (0, "") == (done.returncode, done.stderr)
    assert "[/memories/session_" in done.stdout
    assert before == {path: path.read_bytes() for path in (demo_memory / "memories").iterdir()}


def test_json(memkit: Memkit, demo_memory: Path) -> None:
    """The same answer as JSON: citations resolved, what was served, what it took."""
    done = memkit("ask", demo_memory, QUESTION, "--harness", "center", "--json")

    data = json.loads(done.stdout)
    assert done.stdout.isascii()
    assert ("answered", True) == (data["end"], bool(data["citations"]))
    assert all(one["resolves"] and one["text"] for one in data["citations"])
    assert data["served"]
    assert {"uncached", "cache_read", "cache_write", "output"} == set(data["usage"])


def test_options(memkit: Memkit, demo_memory: Path) -> None:
    """Given choices, the answer is one of them."""
    done = memkit("ask", demo_memory, "Which pet does Jonas have?", "--option", "A beagle", "--option", "A parrot")

    assert any(choice in done.stdout.splitlines()[0].lower() for choice in ("beagle", "parrot", "(a)", "(b)"))


def test_wrong_input(memkit: Memkit, demo_memory: Path, tmp_path: Path) -> None:
    """What is no memory, and parts that do not fit it, are told in a sentence."""
    why = "agent with harness 'chunks': needs a chunk store; leave --harness out"
    misfit = f"{demo_memory} cannot be searched so: {why}"
    for arguments, message in (
        (("absent", "q"), "absent is not a memory: it has no memory.toml; `memkit build` makes one"),
        ((demo_memory, "q", "--harness", "chunks"), misfit),
        ((demo_memory, "q", "--harness", "centre"), "no harness is called 'centre'; did you mean 'center'?"),
        ((demo_memory, "q", "--searcher", "agnt"), "no searcher is called 'agnt'; did you mean 'agent'?"),
    ):
        done = memkit("ask", *arguments, cwd=tmp_path)
        assert (2, "", f"memkit: {message}\n") == (done.returncode, done.stdout, done.stderr)
