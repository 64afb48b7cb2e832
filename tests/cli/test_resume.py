"""A comparison that is interrupted, killed or run twice at once loses nothing and repeats nothing."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memkit.compare.units import read_segment
from memkit.testing.server import Asked, LoopbackServer, Reply, Says

Memkit = Callable[..., Any]
SCRIPT = Path(sys.executable).with_name("memkit")
STREAMS, TURNS, QUESTIONS = 3, 60, 60
COMMAND = (
    "compare", "--data", "jsonl:data.jsonl", "--builder", "verbatim,chunk-bm25", "--harness", "center,chunks",
    "--workers", "2", "--json",
)  # fmt: skip
ASKED = STREAMS * QUESTIONS * 5
"""Two arms and three null rows."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with data that take a few seconds."""
    words = [f"word{number}" for number in range(400)]
    draw = random.Random(7)
    lines: list[dict[str, Any]] = []
    for stream in range(STREAMS):
        lines.append({"type": "stream", "id": f"s{stream}"})
        for turn in range(TURNS):
            said = " ".join(draw.choices(words, k=25))
            lines.append({"type": "turn", "session": 1 + turn // 10, "speaker": "Ana", "text": said})
        for number in range(QUESTIONS):
            evidence = f"S{1 + number // 10}T{1 + number % 10}"
            asked = " ".join(draw.choices(words, k=6))
            lines.append({"type": "question", "question": f"{asked}?", "answer": "word7", "evidence": [evidence]})
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def start(folder: Path, runs: str = "runs") -> subprocess.Popen[str]:
    """The comparison, started in a process group of its own."""
    return subprocess.Popen(
        [SCRIPT, *COMMAND, "--runs", runs],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def recorded(folder: Path) -> Counter[tuple[str, str]]:
    """How often each unit is on record."""
    segments = folder.glob("runs/*/units/*/*.jsonl")
    return Counter((segment.parent.name, record["key"]) for segment in segments for record in read_segment(segment))


def wait_for(folder: Path, units: int, process: subprocess.Popen[str]) -> None:
    """Wait until so many units are on record, or the process has ended."""
    while sum(recorded(folder).values()) < units and process.poll() is None:
        time.sleep(0.02)


def results(folder: Path, runs: str) -> dict[str, Any]:
    """The table and the rows, without what is measured in seconds."""
    (directory,) = (folder / runs).iterdir()
    summary = json.loads((directory / "results" / "summary.json").read_text())
    rows = [json.loads(line) for line in (directory / "results" / "items.jsonl").read_text().splitlines()]
    for measured in (*(arm["effort"] for arm in summary["arms"]), *(arm["memory"] for arm in summary["arms"])):
        measured["seconds"] = None
    for row in rows:
        row["effort"]["seconds"] = None
    return {"summary": summary, "rows": rows}


def kill_and_rerun(memkit: Memkit, folder: Path, kills: int, seed: int) -> None:
    """Kill the comparison `kills` times, each after some more units, then let it end; an undisturbed one is like it."""
    draw = random.Random(seed)
    before: Counter[tuple[str, str]] = Counter()
    for _ in range(kills):
        process = start(folder)
        wait_for(folder, sum(before.values()) + draw.randrange(1, 2 * ASKED // kills), process)
        time.sleep(draw.random() / 10)
        process.kill()  # its workers notice by themselves
        process.communicate(timeout=60)
        now = recorded(folder)
        assert before == before & now, "a recorded unit was lost"
        before = now
    again = memkit(*COMMAND, cwd=folder)
    undisturbed = memkit(*COMMAND, "--runs", "undisturbed", cwd=folder)

    assert (0, 0) == (again.returncode, undisturbed.returncode)
    assert results(folder, "undisturbed") == results(folder, "runs")
    # A memory that was recorded and not yet moved into place is built again; nothing else ever is.
    assert {} == {unit: times for unit, times in recorded(folder).items() if times > 1 and unit[0] != "build"}
    assert 2 * ASKED == sum(stage != "build" for stage, _ in recorded(folder))


def test_killed_at_random_moments(memkit: Memkit, folder: Path) -> None:
    """Killed and run again, it ends with the results of an undisturbed run, and does nothing twice."""
    kill_and_rerun(memkit, folder, kills=3, seed=1)


@pytest.mark.slow
def test_killed_often(memkit: Memkit, folder: Path) -> None:
    """The same with twenty kills."""
    kill_and_rerun(memkit, folder, kills=20, seed=2)


def test_interrupted(memkit: Memkit, folder: Path) -> None:
    """Ctrl-C ends it with code 130, the work so far on record and shown; the same command goes on from there."""
    process = start(folder)
    wait_for(folder, 20, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    output, errors = process.communicate(timeout=60)
    units = recorded(folder)

    shown = json.loads(output)["run"]
    assert (130, "", True, False) == (process.returncode, errors, shown["interrupted"], shown["complete"])
    assert shown["answered"] == sum(stage == "answer" for stage, _ in units)
    # Drained: whatever was asked has been judged too.
    assert shown["answered"] == sum(stage == "judge" for stage, _ in units)
    again = memkit(*COMMAND, cwd=folder)
    assert ASKED == shown["answered"] + json.loads(again.stdout)["run"]["answered"]
    assert 1 == max(recorded(folder).values())


def test_interrupted_twice(memkit: Memkit, tmp_path: Path) -> None:
    """The first Ctrl-C waits for what is started, the second does not; what was done before is kept."""
    replies = 0

    def reply(_: Asked) -> Reply:
        nonlocal replies
        replies += 1
        return Says("In spring.", delay=0.0 if replies <= 2 else 250.0)

    with LoopbackServer(reply) as server:
        model = "[{use: openai/any, with: {api_base: '" + server.openai + "', retries: 0}}]"
        command = ("compare", "--data", "demo", "--limit", "4", "--no-nulls", "--workers", "1", "--set")
        process = subprocess.Popen(
            [SCRIPT, *command, f"factors.models.search={model}"],
            cwd=tmp_path,
            env={**os.environ, "OPENAI_API_KEY": "sk-test"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while sum(recorded(tmp_path).values()) < 5 and process.poll() is None:  # a build, two answers, two judgements
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.communicate(timeout=1.5)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)

    told = "memkit: interrupted; run the same command again to go on"
    assert (130, "", told) == (process.returncode, output, errors.strip())
    assert {"build": 1, "answer": 2, "judge": 2} == Counter(stage for stage, _ in recorded(tmp_path).elements())


def test_a_killed_worker(memkit: Memkit, folder: Path) -> None:
    """What a worker that is killed had to do comes back in the same run, which ends whole; nothing is done twice."""
    process = start(folder)
    wait_for(folder, 20, process)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    workers = [pid for pid in map(int, children) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    os.kill(workers[0], signal.SIGKILL)
    output, errors = process.communicate(timeout=240)

    run = json.loads(output)["run"]
    assert (0, "", True, []) == (process.returncode, errors, run["complete"], run["errors"])
    assert ASKED == run["answered"]
    assert 1 == max(recorded(folder).values())
    (log,) = folder.glob("runs/*/events.jsonl")
    events = [json.loads(line) for line in log.read_text().splitlines()]
    assert 1 == sum(event["event"] == "lost" for event in events)


def test_two_at_once(memkit: Memkit, folder: Path) -> None:
    """The second of two equal runs is refused with the first one's process number; the first goes on."""
    process = start(folder)
    wait_for(folder, 5, process)
    second = memkit(*COMMAND, cwd=folder)

    (run,) = (folder / "runs").iterdir()
    holder = f"process {process.pid} has held it for more than 1 s; wait for it or end it."
    refusal = f"The run runs/{run.name} is locked: {holder}"
    assert (2, "", f"memkit: {refusal}\n") == (second.returncode, second.stdout, second.stderr)
    process.communicate(timeout=120)
    assert 0 == process.returncode
