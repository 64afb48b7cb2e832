from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from memkit.ledger.catalogue import Catalogue
from memkit.ledger.extract import extract_rows
from memkit.query.engine import Engine
from memkit.query.finding import finding
from memkit.query.parse import parse_plan
from memkit.query.plan import Plan
from memkit.query.rules.compiler import compile_by_rules
from memkit.records import Case, Question
from memkit_plugins.event_set.events import score_events
from memkit_plugins.jsonl.jsonl import Jsonl

PROBE = Path(__file__).resolve().parents[2] / "benchmarks" / "studies" / "probe"
EMBODIED = (
    ("look", "You are in the middle of a room."),
    ("go to drawer 1", "You arrive at drawer 1. The drawer 1 is closed."),
    ("open drawer 1", "You open the drawer 1. The drawer 1 is open. In it, you see nothing."),
    ("go to drawer 10", "You arrive at drawer 10."),
    ("go to drawer 1", "You arrive at drawer 1."),
    ("examine drawer 1", "The drawer 1 is open."),
    ("close drawer 1", "You close the drawer 1."),
    ("look", "You are facing the drawer 1."),
)
EDITED = "The file /a/x.py has been edited. Here's the result of running `cat -n` on a snippet of /a/x.py:"
SOFTWARE = (
    ("execute_bash", {"command": "grep -n exit /a/x.py"}, "exit code 7\n[Command finished with exit code 0]"),
    ("str_replace_editor", {"command": "view", "path": "/a/x.py"}, "Here's the result of running `cat -n` on /a/x.py:"),
    ("str_replace_editor", {"command": "str_replace", "path": "/a/x.py"}, EDITED),
    ("str_replace_editor", {"command": "str_replace", "path": "/a/x.py"}, "ERROR:\nNo replacement was performed"),
    ("execute_bash", {"command": "pytest"}, "[Command finished with exit code 1]"),
    ("str_replace_editor", {"command": "create", "path": "/a/y.py"}, "File created successfully at: /a/y.py"),
    ("think", {"thought": "grep"}, "Your thought has been logged."),
    ("execute_bash", {"command": "egrep x"}, "[Command finished with exit code 2]"),
)


def generate(episodes: Path, out: Path) -> tuple[list[Case], dict[str, str]]:
    """The cases and plans that the script makes, as a user would have it make them."""
    subprocess.run([sys.executable, "-B", PROBE / "generate.py", episodes, out], check=True, capture_output=True)
    return list(Jsonl().load(out / "probe.jsonl")), json.loads((out / "plans.json").read_bytes())


def write_episode(folder: Path, name: str, domain: str, turns: list[tuple[str, str]]) -> None:
    """An episode in the benchmark's own form."""
    trajectory = [
        {"turn_idx": at, "action": action, "observation": observation} for at, (action, observation) in enumerate(turns)
    ]
    episode = {"domain": domain, "task": "Do it.", "state": "fail", "trajectory": trajectory}
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(episode))


def summary(question: Question) -> tuple[str | None, list[int]]:
    """A question's gold and events."""
    return question.gold, [locator.index for locator in question.evidence]


def exactness(cases: list[Case], plan_of: Any) -> dict[str, list[float]]:
    """By template, for each question with events: 1 where what its plan computes rests on exactly those."""
    scores: dict[str, list[float]] = defaultdict(list)
    for case in cases:
        rows = list(extract_rows(case.stream.units))
        engine, catalogue = Engine(rows), Catalogue.of(rows)
        for question in case.questions:
            results = engine.run(plan_of(question, catalogue))
            if question.evidence:
                found = score_events([finding(result, rows) for result in results], question.evidence)
                scores[question.category].append(found["event_exact"])
            else:
                scores[question.category].append(float(any(result.status == "verified zero" for result in results)))
    return scores


@pytest.mark.parametrize("module", sorted(PROBE.glob("*.py")), ids=lambda path: path.stem)
def test_shares_nothing_with_what_it_examines(module: Path) -> None:
    """No module of the probe imports memkit or a plugin: its answers come from the raw strings alone."""
    names = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(module.read_bytes()))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    own = {path.stem for path in PROBE.glob("*.py")}

    assert set() == names - own - sys.stdlib_module_names - {"attrs"}


def test_embodied(tmp_path: Path) -> None:
    """Every embodied template on a log small enough to answer by hand; a tie would leave out E6."""
    write_episode(tmp_path / "in", "e", "Embodied AI", list(EMBODIED))

    ((case,), plans) = generate(tmp_path / "in", tmp_path / "out")

    assert {
        "e-E1-b1": ("1", [1]),
        "e-E1-b2": ("2", [1, 3]),
        "e-E1-b3": ("3", [1, 3, 4]),
        "e-E2": ("3", [1, 3, 4]),
        "e-E3": ("2", [2]),
        "e-E4": ("1", [1]),
        "e-E5": ("none", []),
        "e-E6": ("drawer 1", [1, 3, 4]),
        "e-E7": ("2", [1, 4]),
        "e-E8": ("drawer 1", [6]),
    } == {question.id: summary(question) for question in case.questions}
    assert [*plans] == [question.id for question in case.questions]


def test_software(tmp_path: Path) -> None:
    """Every software template: the last exit code counts, only a receipt confirms, and a word is a whole one."""
    turns = [(f"{tool}: {json.dumps(arguments)}", observation) for tool, arguments, observation in SOFTWARE]
    write_episode(tmp_path / "in", "s", "Software Engineering", turns)

    ((case,), _) = generate(tmp_path / "in", tmp_path / "out")

    assert {
        "s-S1-b1": ("1", [0]),
        "s-S1-b2": ("1", [0]),
        "s-S1-b3": ("3", [0, 4, 7]),
        "s-S2": ("3", [0, 4, 7]),
        "s-S3": ("2", [4, 7]),
        "s-S4": ("1", [2]),
        "s-S5": ("/a/x.py, /a/y.py", [2, 3, 5]),
        "s-S6": ("1", [1]),
        "s-S7": ("3", [3]),
        "s-S8": ("0", [0]),
    } == {question.id: summary(question) for question in case.questions}


def test_other_domains_are_left_out(tmp_path: Path) -> None:
    """An episode of another kind has no questions, and its trajectory is not written."""
    write_episode(tmp_path / "in", "e", "Embodied AI", list(EMBODIED))
    write_episode(tmp_path / "in", "w", "Web Task Execution", [("click [3]", "")])

    assert ["e"] == [case.stream.id for case in generate(tmp_path / "in", tmp_path / "out")[0]]


def test_real_episodes(shared: Path, tmp_path: Path) -> None:
    """Over the episodes at hand: the same files each time, and by the rules exactly the events in 99 of 100."""
    episodes = shared / "data" / "ama-bench" / "episodes.tar.xz"
    cases, plans = generate(episodes, tmp_path / "one")
    generate(episodes, tmp_path / "two")

    for name in ("probe.jsonl", "plans.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    by_template = exactness(cases, lambda question, catalogue: compile_by_rules(question.text, catalogue))
    assert {f"{domain}{number}" for domain in "ES" for number in range(1, 9)} == by_template.keys()
    assert all(sum(scores) >= 0.99 * len(scores) for scores in by_template.values())
    parsed: dict[str, Plan] = {question: parse_plan(text) for question, text in plans.items()}
    assert all(plan.applicable for plan in parsed.values())
