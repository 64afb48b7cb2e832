"""The program git, run over a repository that may be a stranger's: nothing in it is executed, nothing is fetched."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from memkit import DataError

# A repository's own settings could name programs to run, or change how a difference is written.
_SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.quotePath": "false",
    "diff.algorithm": "myers",
    "diff.orderFile": os.devnull,
    "diff.relative": "false",
    "diff.suppressBlankEmpty": "false",
    "i18n.logOutputEncoding": "UTF-8",
    "log.showSignature": "false",
    "safe.directory": "*",
}
_KEPT = ("PATH", "HOME", "TMPDIR", "SYSTEMROOT")


@contextmanager
def run_git(arguments: Sequence[str], folder: Path, *, where: str) -> Iterator[BinaryIO]:
    """What git writes when run in `folder`; it is ended with the block. Raises DataError with what git complains of."""
    settings = [part for key, value in _SETTINGS.items() for part in ("-c", f"{key}={value}")]
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(
                ["git", "--no-pager", *settings, *arguments],
                cwd=folder,
                env=_environment(folder),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        except FileNotFoundError:
            raise DataError("reading a repository needs the program git; install it", where=where) from None
        try:
            with process:
                yield cast("BinaryIO", process.stdout)
                process.wait()
        finally:
            process.kill()
        if process.returncode:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip().splitlines() or ["it gives no reason"]
            reason = said[-1].removeprefix("fatal: ").removeprefix("error: ")
            raise DataError(f"git cannot read this repository ({reason}); check the path", where=where)


def _environment(folder: Path) -> dict[str, str]:
    """Of the user's, only where things are: no settings, no other repository, no question on a terminal."""
    return {name: os.environ[name] for name in _KEPT if name in os.environ} | {
        "GIT_ALLOW_PROTOCOL": "file",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(folder.resolve().parent),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
