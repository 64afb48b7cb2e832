from __future__ import annotations

import json
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.ledger.catalogue import Catalogue
from memkit.ledger.extract import extract_rows
from memkit.locators import Locator
from memkit.plugins import build_registry
from memkit.query.engine import Engine
from memkit.query.parse import parse_plan
from memkit.query.plan import MAX_QUERIES, Plan
from memkit.query.rules.compiler import compile_by_rules
from memkit.query.text import print_plan
from memkit.records import Step, Unit
from memkit.testing.samples import HOSTILE
from memkit.testing.strategies import texts

PLANS = (
    (
        "household",
        "How many times did the agent go to drawer 1 up to and including step 4?",
        'count where tool: "go to" and target: "drawer 1" in [, 4]',
    ),
    (
        "household",
        "How often was drawer 1 visited until step 4?",
        'count where tool: "go to" and target: "drawer 1" in [, 4]',
    ),
    (
        "household",
        "Count the visits to drawer 1 through step 4.",
        'count where tool: "go to" and target: "drawer 1" in [, 4]',
    ),
    (
        "household",
        "What is the number of 'go to' actions on drawer 1 by step 4?",
        'count where tool: "go to" and target: "drawer 1" in [, 4]',
    ),
    ("household", "How many actions were performed between step 2 and step 5?", "count in [2, 5]"),
    ("household", "How many steps are there before step 3?", "count in [, 2]"),
    ("household", "How many steps are there after step 3?", "count in [4, ]"),
    ("household", "List the actions in the first 3 steps.", "list in [0, 2]"),
    ("household", "What actions were performed between step 2 and step 3?", "list in [2, 3]"),
    ("household", "At which step did the agent first open something?", 'first where tool: "open"'),
    ("household", "When did the agent last pick up an object?", 'last where tool: "take"'),
    ("household", "At which steps did the agent take or move something?", 'list where tool: "take" | "move"'),
    ("household", "Until step 7, what actions has the agent performed and how frequently?", "group by action in [, 7]"),
    ("household", "How many times did each action type occur?", "group by act"),
    ("household", "Which tools were used and how often?", "group by tool"),
    ("household", "Which location did the agent visit most often?", 'group by target where tool: "go to"'),
    ("household", "What is the least frequent action?", "group by action"),
    ("household", "How many different locations did the agent visit?", 'group by target where tool: "go to"'),
    ("household", "Which drawers were opened?", 'group by target where tool: "open" and target: "drawer"'),
    (
        "household",
        "How many times were open and close used, respectively?",
        'count where tool: "open"\ncount where tool: "close"',
    ),
    (
        "household",
        "Before step 6, which actions were performed on mug 2 and at which steps (excluding 'go to' actions)?",
        'list where tool: "look" | "open" | "take" | "move" | "close" | "examine" and target: "mug 2" in [, 5]',
    ),
    (
        "household",
        (
            "At step 6, what objects has the agent interacted with so far (excluding 'go to' actions) "
            "and how many times they were interacted with?"
        ),
        'group by target where tool: "look" | "open" | "take" | "move" | "close" | "examine" and change: "->" in [, 6]',
    ),
    ("household", "How many actions had no effect?", 'count where outcome: "no effect"'),
    (
        "household",
        "What is the location of mug 2, drawer 1 at step 5?",
        'state of "mug 2.location" in [, 5]\nstate of "drawer 1.location" in [, 5]',
    ),
    (
        "household",
        (
            "What is the state of mug 2 at step 6? When did this change occur and what were the prior "
            "whole changes history?"
        ),
        'state of "mug 2.location" in [, 6]\nstate of "mug 2.state" in [, 6]',
    ),
    (
        "household",
        "Until step 6, what were the location histories of mug 2 and drawer 10?",
        'state of "mug 2.location" in [, 6]\nstate of "drawer 10.location" in [, 6]',
    ),
    (
        "household",
        "What changes occurred to the inventory throughout the trajectory and at which steps?",
        'state of "agent.inventory"',
    ),
    ("household", "What was the agent holding at step 4?", 'state of "agent.inventory" in [, 4]'),
    (
        "household",
        "From step 1 to step 6, what actions made the environment changes and what were the environment changes?",
        'timeline where tool: "look" | "open" | "take" | "move" | "close" | "examine" and change: "->" in [1, 6]',
    ),
    (
        "household",
        (
            "How did the state of drawer 10 change throughout the trajectory, including what objects "
            "were placed in or removed from it?"
        ),
        (
            'timeline where tool: "look" | "open" | "take" | "move" | "close" | "examine" and target: '
            '"drawer 10" and change: "->"'
        ),
    ),
    ("software", "How many times did the agent call execute_bash?", 'count where tool: "execute_bash"'),
    ("software", "How often did the agent run bash commands?", 'count where tool: "execute_bash"'),
    ("software", "How many commands finished with a non-zero exit code?", "count where exit_code != 0"),
    (
        "software",
        "How many bash commands exited with code 1 after step 2?",
        'count where tool: "execute_bash" and exit_code = 1 in [3, ]',
    ),
    ("software", "How many times was exit code greater than 1 returned?", "count where exit_code > 1"),
    ("software", "What was the total duration of all commands?", "sum of seconds"),
    ("software", "What was the average exit code?", "mean of exit_code"),
    (
        "software",
        "Which files were modified?",
        'group by target where tool: "create" | "str_replace" and outcome: "success"',
    ),
    ("software", "Which files were created?", 'group by target where tool: "create" and outcome: "success"'),
    (
        "software",
        "How many edits were made to /repo/src/core.py?",
        'count where tool: "str_replace" and target: "/repo/src/core.py" and outcome: "success"',
    ),
    (
        "software",
        (
            "How many times was /repo/src/core.py modified with the create, str_replace and insert "
            "commands? Failed attempts do not count."
        ),
        'count where tool: "create" | "str_replace" and target: "/repo/src/core.py" and outcome: "success"',
    ),
    (
        "software",
        "How many create, replace and insert commands were used on core.py, whether they succeeded or not?",
        'count where tool: "create" | "str_replace" and target: "core.py"',
    ),
    ("software", "Count the 'view' and `create` commands.", 'count where tool: "view" | "create"'),
    ("software", "How many edits failed?", 'count where tool: "str_replace" and outcome: "failure"'),
    (
        "software",
        "At which step did the last failed str_replace happen?",
        'last where tool: "str_replace" and outcome: "failure"',
    ),
    (
        "software",
        "How many str_replace calls succeeded and how many failed?",
        'group by outcome where tool: "str_replace"',
    ),
    (
        "software",
        "Which file was edited most often?",
        'group by target where tool: "str_replace" and outcome: "success"',
    ),
    ("software", "How many times was each editor command used?", 'group by act where tool: "str_replace_editor"'),
    (
        "software",
        "List the steps at which the agent ran a bash command that contains the word 'core'.",
        'list where tool: "execute_bash" and action: "core"',
    ),
    ("software", "How many times did the agent run grep?", 'count where tool: "grep"'),
    ("software", "In which order were the files viewed?", 'timeline where tool: "view"'),
    (
        "talk",
        "How many times did Ana mention the kite in May 2023?",
        'count where tool: "Ana" and action: "kite" and time: "2023-05"',
    ),
    ("talk", "How often was Ana mentioned by Ben?", 'count where tool: "Ben" and action: "Ana"'),
    ("talk", 'When did Ben last say "Nice kite"?', 'last where tool: "Ben" and action: "Nice kite"'),
    ("talk", "How many messages did Ben send in June 2023?", 'count where tool: "Ben" and time: "2023-06"'),
    ("talk", "How many pictures did Ben share?", 'count where tool: "Ben" and tool: "share"'),
    ("talk", "Who sent the most messages?", "group by tool"),
    ("talk", "Who first mentioned the kite?", 'first where action: "kite"'),
    ("history", "How many commits touched app.py?", 'count where target: "app.py"'),
    (
        "history",
        "In what order were app.py and old.py added?",
        'timeline where change: "app.py.status -> added" | "old.py.status -> added"',
    ),
    ("history", "What values did LIMIT take over time?", 'timeline where change: ":LIMIT.value"'),
    ("history", "Which files were deleted?", 'group by target where change: "status -> deleted"'),
    ("history", "How many commits were made in 2022?", 'count where time: "2022"'),
    ("history", "How many lines were added in total?", "sum of additions"),
    ("history", "Which commit had the most additions?", "max of additions"),
)
REFUSED = (
    ("household", "Why did the agent open drawer 1 three times?"),
    ("household", "How many times would the agent have opened drawer 1 if it had known?"),
    ("household", "If the agent executes ['look', 'open drawer 1'] at step 3, what state changes will occur?"),
    ("household", "What should the agent do after step 3?"),
    ("household", "What was the most reasonable next action at step 2?"),
    ("household", "What does the observation at step 5 say?"),
    ("household", "How many consecutive look actions were there?"),
    ("household", "How many times did the agent look before it opened drawer 1?"),
    ("household", "How many go to actions are there, excluding those to drawer 1?"),
    ("software", "What was the root cause of the failure at step 1?"),
    ("software", "At which step did the understanding of the caching strategy evolve?"),
    ("talk", "How often did Ana fly her kite?"),
    ("talk", "When did Ana go to the beach?"),
    ("talk", "How many messages were there before 8 June 2023?"),
    ("household", "How many commands returned a non-zero exit code?"),
    ("software", "How many go to actions were there?"),
    ("household", "How many rainy steps were there?"),
    ("talk", "How many kites has Ana mentioned?"),
    ("household", ""),
)
ASKING = st.sampled_from(
    """
    how many times often count which what list when first last most each step until between 3 and 9 drawer 1 mug 2
    open modified failed /repo/x.py 'go to' excluding exit code non-zero total average location of state changed
    """.split()  # noqa: SIM905
)


@pytest.mark.parametrize(("log", "question", "expected"), PLANS)
def test_plans(catalogues: Mapping[str, Catalogue], log: str, question: str, expected: str) -> None:
    """Operation, filters and scope come from the wording, in the words of the log."""
    assert expected == print_plan(compile_by_rules(question, catalogues[log]))


@pytest.mark.parametrize(("log", "question"), REFUSED)
def test_refused(catalogues: Mapping[str, Catalogue], log: str, question: str) -> None:
    """What cannot be computed has no plan, and the reason is a clause of a sentence."""
    plan = compile_by_rules(question, catalogues[log])

    assert () == plan.queries
    assert plan.reason.startswith("it asks ")


def test_wordings_of_one_count(catalogues: Mapping[str, Catalogue], logs: Mapping[str, Sequence[Unit]]) -> None:
    """However a count is asked for, it rests on the same rows."""
    engine = Engine(list(extract_rows(logs["software"])))
    wordings = (
        "How many times did the agent use execute_bash through step 2?",
        "How often was execute_bash called until step 2?",
        "Count the execute_bash calls in the first 2 steps.",
        "What is the number of execute_bash invocations before step 3?",
        "By step 2, how frequently was a bash command executed?",
    )
    found = [engine.run(compile_by_rules(wording, catalogues["software"])) for wording in wordings]

    assert [[0, 1]] * len(wordings) == [[*result.rows] for (result,) in found]


def test_at_most_four(catalogues: Mapping[str, Catalogue]) -> None:
    """More quantities than a plan may have are cut after the fourth."""
    verbs = ("open", "close", "take", "move", "examine")
    asked = "".join(f"How many times did the agent {verb} something? " for verb in verbs)

    assert MAX_QUERIES == len(compile_by_rules(asked, catalogues["household"]).queries)


def test_an_empty_ledger_has_no_crash() -> None:
    """A log without rows has plans too; they compute nothing."""
    plan = compile_by_rules("How many times did the agent open drawer 1 until step 3?", Catalogue())

    assert {"ungrounded"} >= {result.status for result in Engine([]).run(plan)}


@given(st.one_of(texts(max_size=300), st.lists(ASKING | texts(max_size=20), max_size=30).map(" ".join)))
def test_any_text_compiles(catalogues: Mapping[str, Catalogue], logs: Mapping[str, Sequence[Unit]], text: str) -> None:
    """Whatever is asked, of whatever log: a valid plan, the same each time, that prints, parses and runs."""
    for log, catalogue in catalogues.items():
        plan = compile_by_rules(text, catalogue)

        assert plan == compile_by_rules(text, catalogue) == parse_plan(print_plan(plan))
        assert len(plan.queries) <= MAX_QUERIES
        assert bool(plan.queries) != bool(plan.reason)
        assert len(plan.queries) == len(Engine(list(extract_rows(logs[log]))).run(plan))


@pytest.mark.parametrize(
    "piece", ["A ", "how many ", "and how ", "/a", "a-b", "'", "if ", "before ", "the which ", "[1]"]
)
def test_long_questions_take_no_time(catalogues: Mapping[str, Catalogue], piece: str) -> None:
    """A pattern that looks back over what it read would not come to an end on these."""
    for text in (piece * 20_000, f"{piece * 20_000}!x"):
        assert isinstance(compile_by_rules(text, catalogues["household"]), Plan)


def test_real_questions(shared: Path, catalogues: Mapping[str, Catalogue]) -> None:
    """Every question of LoCoMo compiles against any log, and nearly none of them is one to compute."""
    cases = build_registry().make("dataset", "locomo").load(shared / "data" / "locomo")
    questions = [question.text for case in cases for question in case.questions] + list(HOSTILE)
    planned = [question for question in questions if compile_by_rules(question, catalogues["talk"]).applicable]

    assert len(planned) < len(questions) // 50


def test_trajectory_questions(shared: Path) -> None:
    """AMA-Bench's embodied questions about counts, histories and states have plans, its counterfactuals have none."""
    planned: dict[bool, list[str]] = {True: [], False: []}
    with tarfile.open(shared / "data" / "ama-bench" / "episodes.tar.xz") as archive:
        for member in archive:
            content = archive.extractfile(member) if "alfworld" in member.name else None
            if content is None:
                continue
            episode = json.loads(content.read())
            steps = (
                Step(Locator("step", 0, turn["turn_idx"]), turn["turn_idx"], turn["action"], turn["observation"])
                for turn in episode["trajectory"]
            )
            catalogue = Catalogue.of(extract_rows(steps))
            for pair in episode["qa_pairs"]:
                planned[compile_by_rules(pair["question"], catalogue).applicable].append(pair["question"])

    assert all("if the agent executes" in question or "key actions" in question for question in planned[False])
    assert len(planned[False]) < len(planned[True]) / 5
