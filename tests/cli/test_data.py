from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Memkit = Callable[..., Any]
TURN = '{"type": "turn", "speaker": "Ana", "text": "I moved to Porto."}\n'


def test_datasets(memkit: Memkit) -> None:
    """The datasets there are, with what they are."""
    rows = json.loads(memkit("data", "ls", "--json").stdout)["rows"]

    conversations = {"demo", "jsonl", "locomo", "longmemeval", "personamem", "realtalk"}
    trajectories = {"alfworld-log", "ama-bench", "git", "mini-swe-agent", "openhands", "swe-agent"}
    assert sorted(conversations | trajectories) == [row["name"] for row in rows]
    assert all(row["about"] for row in rows)
    assert all(row["name"] in memkit("data", "ls").stdout for row in rows)


def test_streams(memkit: Memkit) -> None:
    """The streams of one dataset, with their sizes."""
    (row,) = json.loads(memkit("data", "ls", "demo", "--json").stdout)["rows"]

    assert ("demo", "conversation", 10) == (row["stream"], row["kind"], row["units"])
    assert row["questions"] > 20


def test_a_good_file(memkit: Memkit, tmp_path: Path) -> None:
    """A file without fault is exit code 0."""
    (tmp_path / "talk.jsonl").write_text(TURN)
    done = memkit("data", "check", "talk.jsonl", cwd=tmp_path)

    assert (0, "no problems\n", "") == (done.returncode, done.stdout, done.stderr)


def test_a_file_with_problems(memkit: Memkit, tmp_path: Path) -> None:
    """Every fault is a line with its place; exit code 1."""
    (tmp_path / "talk.jsonl").write_text(TURN + '{"type": "trun"}\nnot json\n')
    done = memkit("data", "check", "talk.jsonl", cwd=tmp_path)
    problems = json.loads(memkit("data", "check", "talk.jsonl", "--json", cwd=tmp_path).stdout)["problems"]

    assert (1, "") == (done.returncode, done.stderr)
    assert [*problems, "2 problems"] == done.stdout.splitlines()
    assert ["talk.jsonl:2:", "talk.jsonl:3:"] == [problem.split()[0] for problem in problems]


def test_no_file(memkit: Memkit, tmp_path: Path) -> None:
    """A file that is not there is a problem or an error in words, never a traceback."""
    done = memkit("data", "check", "absent.jsonl", cwd=tmp_path)

    assert done.returncode in (1, 2)
    assert "absent.jsonl" in done.stdout + done.stderr
    assert "bug" not in done.stderr
