"""No module grows without end."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIMITS = {"memkit": 400, "plugins": 400, "scripts": 400, "benchmarks": 400, "tests": 600}
TARGET = 250
"""Lines a module of memkit or of a plugin should stay below; a longer one is listed, and allowed."""


def line_counts(folder: str) -> dict[str, int]:
    """The lines of each Python file below a folder of the checkout."""
    files = sorted((ROOT / folder).rglob("*.py"))
    return {str(file.relative_to(ROOT)): len(file.read_bytes().splitlines()) for file in files}


@pytest.mark.parametrize(("folder", "limit"), LIMITS.items())
def test_no_file_is_too_long(folder: str, limit: int) -> None:
    """A file over the limit holds more than one noun; split it."""
    too_long = {file: lines for file, lines in line_counts(folder).items() if lines > limit}

    assert {} == too_long


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("folder", ["memkit", "plugins"])
def test_long_files_are_listed(folder: str) -> None:
    """Modules over the target are shown in the summary, the next ones to split."""
    counts = line_counts(folder)
    for file, lines in counts.items():
        if lines > TARGET:
            warnings.warn(f"{file} has {lines} lines; the target is {TARGET}", stacklevel=1)

    assert {} != counts
