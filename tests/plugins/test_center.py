"""The harness `center`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memkit import Harness, Layout, Memory, Registry, Role
from memkit_plugins import center


@pytest.fixture
def harness() -> Harness:
    """The harness as a registry makes it."""
    registry = Registry()
    center.memkit_register(registry)
    made = registry.make("harness", "center")
    assert isinstance(made, Harness)
    return made


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory with folders."""
    return Memory.create(tmp_path / "memory", builder="none", plugin="none 0", layout="tree")


@pytest.mark.parametrize(
    ("role", "layout", "reason"),
    [
        ("manage", "tree", None),
        ("search", "tree", None),
        ("search", "flat", None),
        ("search", "chunks", "a chunk store has no folders to navigate"),
        ("manage", "chunks", "a chunk store has no folders to navigate"),
        ("execute", "tree", "an executor acts in its environment, not on the store"),
    ],
)
def test_misfit(harness: Harness, role: Role, layout: Layout, reason: str | None) -> None:
    """Managers and searchers of files are served; executors and chunk stores are not, with the reason."""
    assert reason == harness.misfit(role, layout)


@pytest.mark.parametrize(
    ("role", "names"),
    [
        ("manage", ["view", "create", "str_replace", "insert", "delete", "rename", "grep"]),
        ("search", ["view", "grep", "toc", "section_read"]),
    ],
)
def test_tools(harness: Harness, memory: Memory, role: Role, names: list[str]) -> None:
    """A manager gets the memory tool's commands and grep, a searcher the tools that read."""
    assert names == [tool.spec.name for tool in harness.tools(role, memory)]


def test_registering_is_light() -> None:
    """Loading the plugin and registering it imports neither the tools nor the store."""
    heavy = ("memkit.tools", "memkit.store", "re2", "markdown_it")
    code = (
        "import sys; from memkit import Registry; from memkit_plugins import center\n"
        f"center.memkit_register(Registry()); print([name for name in sys.modules if name.startswith({heavy})])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (0, "", "[]\n") == (done.returncode, done.stderr, done.stdout)
