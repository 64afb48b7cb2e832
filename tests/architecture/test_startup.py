"""Starting memkit loads nothing heavy."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = tuple(
    "litellm tantivy tiktoken polars scipy numpy re2 regex markdown_it rich yaml jinja2 xllamacpp".split()  # noqa: SIM905
)
PRINT_HEAVY = f"import json, sys; print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
STARTS = {
    "import memkit": "import memkit",
    "the command line": "import memkit.cli.main",
    "memkit --help": (
        "import sys; from memkit.cli.main import run; sys.argv = ['memkit', '--help']\n"
        "try: run()\nexcept SystemExit as end: assert not end.code"
    ),
}


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_nothing_heavy_is_loaded(start: str) -> None:
    """Libraries that take long to import are loaded by the command that needs them only."""
    done = subprocess.run(
        [sys.executable, "-c", f"{start}\n{PRINT_HEAVY}"], capture_output=True, text=True, check=False
    )

    assert (0, "") == (done.returncode, done.stderr)
    assert [] == json.loads(done.stdout.splitlines()[-1])
