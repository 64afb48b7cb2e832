"""The rules of who may import what: the contracts of import-linter, and the declared dependencies."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = {"memkit", "memkit_plugins"}


def imported(path: Path) -> set[str]:
    """The top-level names of the absolute imports in a module, those inside functions included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def normal(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared_names(requirements: list[str]) -> set[str]:
    """The distributions that requirements name."""
    return {normal(re.split(r"[<>=!~;\[ ]", line)[0]) for line in requirements}


def outside_distributions(modules: set[Path]) -> set[str]:
    """The distributions of others that modules import."""
    owners = packages_distributions()
    outside = set().union(*map(imported, modules)) - OURS - sys.stdlib_module_names
    return {normal(owners.get(name, [name])[0]) for name in outside}


def test_contracts() -> None:
    """Imports go down only, plugins see the public API only, and each outside library has one owner."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, "") == (0, "" if done.returncode == 0 else done.stdout)


def test_dependencies() -> None:
    """Every library we import is a declared dependency, and every declared dependency is used."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = declared_names(project["dependencies"])
    testing = set((ROOT / "memkit" / "testing").rglob("*.py"))
    modules = {*(ROOT / "memkit").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")} - testing

    local = declared_names(project["optional-dependencies"]["local"])
    assert declared | local == outside_distributions(modules)
    extra = declared_names(project["optional-dependencies"]["testing"])
    assert extra == outside_distributions(testing) - declared
