"""The dataset: a repository is one trajectory, each commit a step."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from memkit import Case, DataError, Locator, Step, Trajectory
from memkit_plugins.git_history.commits import Commit, read_commits
from memkit_plugins.git_history.program import run_git

_WHAT = "a git repository or a bundle made by `git bundle create`"
_BUNDLE = b"# v"


@frozen
class GitHistory:
    """The commits of a git repository, or of a bundle, as the steps of one trajectory, oldest first.

    A step's action is `commit HASH TIME`, a line `Author: NAME <MAIL>`, an empty line and the message; its observation
    is the difference as git writes it. A merge shows only what it changed itself. `revision` says whose history.
    """

    revision: str = "HEAD"

    def load(self, path: Path | None) -> Iterator[Case]:
        """The one case, without questions. Raises DataError naming the repository."""
        if path is None:
            raise DataError(f"the dataset 'git' needs a path: give the path to {_WHAT}")
        with _repository(path) as folder:
            commits = read_commits(folder, self.revision, where=str(path))
            steps, strange = [], []
            for number, commit in enumerate(commits, 1):
                steps.append(Step(Locator("step", 0, number), number, _action(commit), commit.difference))
                strange += [number] * commit.strange
        if not steps:
            raise DataError("this repository has no commits; give another", where=str(path))
        name = path.resolve().name.removesuffix(".git").removesuffix(".bundle") or path.resolve().parent.name
        notes = (f"lines that are not UTF-8 were read as Latin-1, in steps: {', '.join(map(str, strange))}",)
        yield Case(Trajectory(name, "", tuple(steps)), (), notes if strange else ())

    def check(self, path: Path | None) -> Iterator[str]:
        """What `load` could not use, a sentence each."""
        for case in self.load(path):
            yield from (f"{case.stream.id}: {note}" for note in case.notes)


def _action(commit: Commit) -> str:
    return f"commit {commit.hash} {commit.time}\nAuthor: {commit.author}\n\n{commit.message}"


@contextmanager
def _repository(path: Path) -> Iterator[Path]:
    """The folder to read: the repository itself, or a bare clone of a bundle in a folder that goes away again."""
    if path.is_dir():
        yield path
        return
    if not path.is_file():
        raise DataError(f"there is no such file or folder; give the path to {_WHAT}", where=str(path))
    try:
        with path.open("rb") as file:
            bundle = file.read(len(_BUNDLE)) == _BUNDLE
    except OSError as error:
        raise DataError(f"the file cannot be read ({error.strerror}); check who may read it", where=str(path)) from None
    if not bundle:
        raise DataError(f"this file is no bundle; give the path to {_WHAT}", where=str(path))
    with tempfile.TemporaryDirectory(prefix="memkit-") as folder:
        clone = ["clone", "--quiet", "--bare", "--template=", "--", str(path.resolve()), "clone.git"]
        with run_git(clone, Path(folder), where=str(path)):
            pass
        yield Path(folder) / "clone.git"
