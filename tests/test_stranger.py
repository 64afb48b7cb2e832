"""A stranger's package adds a builder beside memkit's wheel, without touching ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
STRANGER = ROOT / "tests" / "stranger"
COMPOSE_ALL = """
import json, memkit
from memkit import prompts
root = prompts._root()
names = sorted(str(file.relative_to(root).with_suffix("")) for file in root.glob("*/*.md"))
texts = {name: prompts._expand(name, ()) for name in names}
print(json.dumps([memkit.__file__, texts]))
"""


def run(*command: object, cwd: Path) -> str:
    """Run a command with nothing of the checkout on its path; its output."""
    env = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "MEMKIT_PLUGINS"}}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts folder of an environment with the wheels of memkit and of the stranger.

    The other libraries are those of the environment that runs the tests; memkit's wheel is made from its sdist.
    """
    folder = tmp_path_factory.mktemp("stranger")
    wheels = folder / "wheels"
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", wheels, ROOT, cwd=folder)
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", wheels, STRANGER, cwd=folder)
    venv.create(folder / "venv", symlinks=True, with_pip=False)
    python = folder / "venv" / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip())
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", "--ignore-installed", *wheels.glob("*.whl"), cwd=folder)
    return python.parent


def memkit(installed: Path, *arguments: str) -> Any:
    """What a memkit command prints as JSON."""
    return json.loads(run(installed / "memkit", *arguments, "--json", cwd=installed))


def test_plugins_lists_it(installed: Path) -> None:
    """The stranger's builder is listed with its own distribution and version."""
    parts = memkit(installed, "plugins")["parts"]

    shout = next(part for part in parts if part["name"] == "shout")
    assert ("builder", "memkit-shout", "0.3.0") == (shout["kind"], shout["distribution"], shout["version"])
    assert "One file a unit, described by its longest text in capitals." == shout["about"]


def test_compare_has_its_row(installed: Path) -> None:
    """It is measured beside ours, on every question."""
    arguments = ("--data", "demo", "--builder", "verbatim,shout", "--harness", "center", "--no-nulls")

    arms = memkit(installed, "compare", *arguments)["arms"]

    assert ["verbatim", "shout"] == [arm["factors"]["builder"] for arm in arms]
    assert arms[0]["answered"] == arms[1]["answered"] == arms[1]["items"] > 0


def test_prompts_are_in_the_wheel(installed: Path) -> None:
    """Every prompt of the checkout composes from the wheel, and from nowhere else."""
    origin, texts = json.loads(run(installed / "python", "-c", COMPOSE_ALL, cwd=installed))

    names = sorted(str(file.relative_to(ROOT / "prompts").with_suffix("")) for file in ROOT.glob("prompts/*/*.md"))
    assert names == sorted(texts)
    assert Path(origin).is_relative_to(installed.parent)
    assert "" not in texts.values()


def test_how_to_shows_this_package() -> None:
    """docs/how-to/write-a-builder.md prints the two files as they are."""
    page = (ROOT / "docs" / "how-to" / "write-a-builder.md").read_text()

    assert f"```toml\n{(STRANGER / 'pyproject.toml').read_text()}```" in page
    assert f"```python\n{(STRANGER / 'memkit_shout.py').read_text()}```" in page


def test_it_is_short() -> None:
    """A builder takes under 30 lines of code."""
    lines = (STRANGER / "memkit_shout.py").read_text().splitlines()

    assert 30 > sum(bool(line.strip()) for line in lines)
