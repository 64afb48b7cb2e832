"""A file that begins as a GGUF does, and the means to name it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memkit import Memory
from memkit.testing.samples import sample_memory
from memkit_plugins.local_model.weights import MAGIC, VARIABLE


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with the right beginning and no model in it, named by the environment."""
    path = tmp_path / "empty.gguf"
    path.write_bytes(MAGIC + b"\x03\0\0\0" + bytes(64))
    monkeypatch.setenv(VARIABLE, str(path))
    return path


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library can be found, here or as an empty module; no test that uses this may load it."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "xllamacpp.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "site")


@pytest.fixture
def sample(tmp_path: Path) -> Memory:
    """The sample chat as notes in folders."""
    return sample_memory(tmp_path / "memory", "tree")
