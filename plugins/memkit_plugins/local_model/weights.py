"""The file that holds the model: named by the user, and looked at before anything heavy is loaded."""

from __future__ import annotations

import os
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from memkit import UserError

VARIABLE = "MEMKIT_LOCAL_GGUF"
LIBRARY = "xllamacpp"
MAGIC = b"GGUF"
"""The first bytes of such a file (GGUF specification, file structure)."""
INSTALL = "pip install 'agent-memkit[local]'"
SAMPLE = 2**20
"""Bytes at either end of a file that tell it from others: the first hold its description, the last some tensors."""


def named() -> str:
    """What the environment names; empty when it names nothing."""
    return os.environ.get(VARIABLE, "").strip()


def find_weights() -> Path:
    """The file, when it can be run. Raises UserError as `find_file` does, and when the library is not installed."""
    path = find_file()
    if find_spec(LIBRARY) is None:
        raise UserError(f"memkit/local needs the package {LIBRARY}: {INSTALL}")
    return path


def find_file() -> Path:
    """The absolute path of the file. Raises UserError when none is named, or it cannot be read or is no GGUF."""
    name = named()
    if not name:
        raise UserError(f"memkit/local has no weights: set {VARIABLE} to the path of a GGUF file")
    path = Path(name).absolute()
    try:
        with path.open("rb") as file:
            begins = file.read(len(MAGIC))
    except OSError as error:
        raise UserError(f"{VARIABLE} names {name}, which cannot be read: {error.strerror}") from None
    if begins != MAGIC:
        raise UserError(f"{VARIABLE} names {name}, which is no GGUF file; convert the model or name another file")
    return path


def fingerprint(path: Path) -> str:
    """A digest of the file's size and both its ends: models are too large to be read whole each time."""
    size = path.stat().st_size
    digest = sha256(str(size).encode())
    with path.open("rb") as file:
        digest.update(file.read(SAMPLE))
        file.seek(max(size - SAMPLE, 0))
        digest.update(file.read(SAMPLE))
    return digest.hexdigest()
