from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from memkit.compare.arms import Arm, make_arms
from memkit.compare.keys import Keys, answer_key, code_digest, judge_key
from memkit.compare.plan import make_plan
from memkit.compare.spec import Spec, Use
from memkit.locators import Locator
from memkit.records import Conversation, Question, Session, Turn
from memkit.registry import Registry

ROOT = Path(__file__).resolve().parents[2]
STREAM = Conversation("s", (Session(1, (Turn(Locator("S", 1, 1), "Ana", "I moved to Porto."),)),))
QUESTION = Question("q", "Where?", gold="Porto", evidence=(Locator("S", 1, 1),))
CHUNKS = {"builder": [{"use": "chunk-bm25", "with": {"target_tokens": 300}}], "harness": ["chunks"]}
PRINT_KEYS = """
import json
from memkit.compare.plan import make_plan
from memkit.compare.spec import Spec
from memkit.converter import structure
from memkit.plugins import build_registry
spec = {"data": ["demo"], "factors": {"builder": ["verbatim"], "harness": ["center"]}, "nulls": {"rows": ["oracle"]}}
cells = make_plan(structure(Spec, spec, where="spec"), build_registry()).cells
keys = {cell.arm.label: [cell.build_key, cell.items[0].answer_key, cell.items[0].judge_key] for cell in cells}
print(json.dumps(keys))
"""


def plan_keys(spec: Spec, registry: Registry) -> list[tuple[str, ...]]:
    """Every key of a plan, sorted."""
    plan = make_plan(spec, registry)
    return sorted((cell.build_key, item.answer_key, item.judge_key) for cell in plan.cells for item in cell.items)


def only_arm(spec: Spec, registry: Registry) -> Arm:
    """The first arm of a spec."""
    return make_arms(spec, registry)[0][0]


def build_key(spec: Spec, registry: Registry, stream: Conversation = STREAM) -> str:
    """The key of the memory of the spec's first arm."""
    return Keys(registry, spec).build(only_arm(spec, registry), stream)


def searcher_key(spec: Spec, registry: Registry, null: str = "") -> str:
    """The key of the searcher of the spec's first arm, or of a null row."""
    arm = Arm({}, null, null) if null else only_arm(spec, registry)
    return Keys(registry, spec).searcher(arm, STREAM)


def test_equal_for_equal_content(make_spec: Callable[..., Spec], registry: Registry) -> None:
    """Planned twice, under other labels and another name, in another order, the keys are the same."""
    factors = {"builder": ["verbatim"], "harness": ["center", "center+bm25"]}
    labelled = {
        "builder": [{"use": "verbatim", "label": "plain"}],
        "harness": [{"use": "center+bm25", "label": "both"}, "center"],
    }
    keys = plan_keys(make_spec(factors=factors), registry)

    assert keys == plan_keys(make_spec(factors=factors), registry)
    assert keys == plan_keys(make_spec(factors=labelled, name="other", seed=9), registry)


def test_build_key_sees_stream_and_options(make_spec: Callable[..., Spec], registry: Registry) -> None:
    """A character of the stream or an option of the builder makes another memory; the search harness does not."""
    turn = evolve(STREAM.sessions[0].turns[0], text="I moved to Porto!")
    other = evolve(STREAM, sessions=(evolve(STREAM.sessions[0], turns=(turn,)),))
    spec = make_spec(factors=CHUNKS)
    options = make_spec(factors={**CHUNKS, "builder": ["chunk-bm25"]})
    assert 3 == len({build_key(spec, registry), build_key(spec, registry, other), build_key(options, registry)})

    bm25 = make_spec(factors={"builder": ["verbatim"], "harness": ["center+bm25"]})
    assert build_key(make_spec(), registry) == build_key(bm25, registry)


def test_searcher_key_sees_the_harness(make_spec: Callable[..., Spec], registry: Registry) -> None:
    """Another harness gives other answers."""
    bm25 = make_spec(factors={"builder": ["verbatim"], "harness": ["center+bm25"]})

    assert searcher_key(make_spec(), registry) != searcher_key(bm25, registry)


def test_searcher_key_sees_model_options(make_spec: Callable[..., Spec]) -> None:
    """An option of the search model gives other answers, with a memory and without."""

    class Anything:
        """Fits as a model, a harness, a searcher and a builder."""

        name = layout = "flat"

        def __init__(self, *, depth: int = 1) -> None:
            """Take an option."""

        def misfit(self, role: str, layout: str) -> None:
            """Fits all."""

        def complete(self) -> None:
            """Never called."""

        tools = answer = ingest = consolidate = complete

    registry = Registry()
    registry.model("m", Anything)
    registry.harness("center", Anything)
    registry.searcher("agent", Anything)
    registry.builder("verbatim", Anything)

    def spec(depth: int) -> Spec:
        models = {"search": [{"use": "m", "with": {"depth": depth}}], "manage": ["m"]}
        return make_spec(factors={"builder": ["verbatim"], "harness": ["center"], "models": models})

    for null in ("", "closed-book"):
        assert searcher_key(spec(1), registry, null) == searcher_key(spec(1), registry, null)
        assert searcher_key(spec(1), registry, null) != searcher_key(spec(2), registry, null)


def test_null_keys(make_spec: Callable[..., Spec], registry: Registry) -> None:
    """Each null row has keys of its own; the budget is part of long-context's alone."""
    rows = ("closed-book", "long-context", "oracle")
    spec, small = make_spec(), make_spec(nulls={"long_context_tokens": 100})

    assert 3 == len({searcher_key(spec, registry, row) for row in rows})
    changed = [row for row in rows if searcher_key(spec, registry, row) != searcher_key(small, registry, row)]
    assert ["long-context"] == changed


@pytest.mark.parametrize(
    ("change", "answers", "scores"),
    [
        ({"text": "When?"}, True, True),
        ({"id": "q2"}, True, True),
        ({"options": ("Porto", "Lisbon")}, True, True),
        ({"gold": "Lisbon"}, False, True),
        ({"answerable": False}, False, True),
        ({"category": "4"}, False, True),
        ({"evidence": ()}, False, True),
    ],
    ids=str,
)
def test_question(*, change: dict[str, Any], answers: bool, scores: bool) -> None:
    """What is asked is part of the answer's key; gold and category only of its judging."""
    other = evolve(QUESTION, **change)
    before, after = (answer_key("searcher", one, 0, marked=False) for one in (QUESTION, other))

    assert answers == (before != after)
    assert scores == (judge_key(before, QUESTION, "judge") != judge_key(after, other, "judge"))


def test_attempt_evidence_and_judge() -> None:
    """Another attempt is another answer; evidence counts where it is shown; another judge gives other scores."""
    bare = evolve(QUESTION, evidence=())

    assert answer_key("s", QUESTION, 0, marked=False) != answer_key("s", QUESTION, 1, marked=False)
    assert answer_key("s", QUESTION, 0, marked=True) != answer_key("s", bare, 0, marked=True)
    assert judge_key("a", QUESTION, "f1") != judge_key("a", QUESTION, "llm")


def test_judge_options(make_spec: Callable[..., Spec], registry: Registry) -> None:
    """An option of the judge is part of its key, its label is not."""
    keys = [
        Keys(registry, make_spec(judge=judge)).judge()
        for judge in ("token-f1", {"use": "token-f1", "label": "x"}, {"use": "token-f1", "with": {"scorer": "locomo"}})
    ]

    assert keys[0] == keys[1] != keys[2]


def test_code_digest() -> None:
    """The plugin's own folder, whichever of its modules holds the factory; a partial is what it calls."""
    from memkit_plugins.token_f1 import TokenF1
    from memkit_plugins.verbatim import memkit_register
    from memkit_plugins.verbatim.builder import Verbatim

    assert code_digest(Verbatim) == code_digest(partial(Verbatim)) == code_digest(memkit_register)
    assert code_digest(Verbatim) != code_digest(TokenF1)
    assert "" == code_digest(dict)


def printed_keys(copy: Path) -> dict[str, list[str]]:
    """The keys that the code in `copy` gives."""
    environment = {**os.environ, "PYTHONPATH": f"{copy}:{copy / 'plugins'}", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PRINT_KEYS], env=environment, cwd=copy, capture_output=True, check=True
    )
    keys: dict[str, list[str]] = json.loads(done.stdout)
    return keys


def test_code_and_prompts(tmp_path: Path) -> None:
    """The builder's code, memkit's code and the prompts are in the keys; the command line and other plugins are not."""
    for folder in ("memkit", "plugins", "prompts"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    before = printed_keys(tmp_path)

    def changed(file: str) -> list[tuple[str, int]]:
        """What changes with a line added to the end of a file: (arm, place among build, answer and judge key)."""
        path = tmp_path / file
        text = path.read_text(encoding="utf-8")
        path.write_text(text + "\n# more\n", encoding="utf-8")
        after = printed_keys(tmp_path)
        path.write_text(text, encoding="utf-8")
        return sorted((arm, n) for arm, keys in after.items() for n, key in enumerate(keys) if key != before[arm][n])

    real = [("verbatim / center", 0), ("verbatim / center", 1), ("verbatim / center", 2)]
    every = [("oracle", 1), ("oracle", 2), *real]
    assert real == changed("plugins/memkit_plugins/verbatim/builder.py")
    assert real[1:] == changed("plugins/memkit_plugins/agent/searcher.py")
    assert [("oracle", 2), real[2]] == changed("plugins/memkit_plugins/token_f1/__init__.py")
    assert every == changed("prompts/roles/ask.md")
    assert every == changed("memkit/tools/grep.py")
    assert [] == changed("memkit/cli/tables.py")
    assert [] == changed("plugins/memkit_plugins/locomo/chat.py")


def test_shown_name_of_a_use_is_no_content(registry: Registry, make_spec: Callable[..., Spec]) -> None:
    """A label changes no identity."""
    keys = Keys(registry, make_spec())

    assert keys._part("builder", Use("verbatim")) == keys._part("builder", Use("verbatim", {}, "plain"))
