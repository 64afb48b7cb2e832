from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from memkit.archive import Archive
from memkit.errors import DataError
from memkit.records import Case, Step
from memkit.registry import Registry
from memkit_plugins.git_history import git_history, memkit_register
from memkit_plugins.git_history.git_history import GitHistory

HEAD = re.compile(r"commit ([0-9a-f]{40}) (\S+)\nAuthor: (.*)\n\n((?s:.*))")
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ana Pérez",
    "GIT_AUTHOR_EMAIL": "ana@example.org",
    "GIT_COMMITTER_NAME": "Bo",
    "GIT_COMMITTER_EMAIL": "bo@example.org",
}


class Repository:
    """A repository that is made step by step, an hour apart."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.hour = 10
        path.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        """What git prints."""
        date = {f"GIT_{who}_DATE": f"2024-05-08T{self.hour}:00:00+02:00" for who in ("AUTHOR", "COMMITTER")}
        command = ["git", "-C", str(self.path), *arguments]
        return subprocess.run(command, env=ENVIRONMENT | date, check=True, capture_output=True, text=True).stdout

    def commit(self, message: str, files: dict[str, bytes] | None = None) -> None:
        """Write files and commit all there is."""
        for name, data in (files or {}).items():
            (self.path / name).write_bytes(data)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-m", message)
        self.hour += 1


@pytest.fixture
def made(tmp_path: Path) -> Repository:
    """Two commits: a file, and a change of it."""
    repository = Repository(tmp_path / "kite")
    repository.commit("Begin\n\nWith a file.", {"a.py": b"size = 1\n", "é.txt": "ü\n".encode()})
    repository.commit("Change", {"a.py": b"size = 2\r\n"})
    return repository


def load(path: Path, revision: str = "HEAD") -> Case:
    """The one case of a repository."""
    (case,) = GitHistory(revision).load(path)
    return case


def steps(path: Path) -> tuple[Step, ...]:
    """Its steps."""
    return load(path).stream.units  # type: ignore[return-value]


def test_real(shared: Path, tmp_path: Path) -> None:
    """Every commit of a real history is a step, oldest first, and what git shows of it is what the archive holds."""
    bundle = shared / "data" / "git" / "colorama.bundle"
    case = load(bundle)
    archive = Archive(tmp_path / "archive" / "stream.jsonl")
    archive.extend(case.stream.units)
    subprocess.run(["git", "clone", "--quiet", "--bare", str(bundle), str(tmp_path / "c.git")], check=True)
    shown = ["git", "-C", str(tmp_path / "c.git"), "log", "--date-order", "--reverse", "--format=%H %aI%n%an <%ae>%n%s"]
    listed = subprocess.run(shown, check=True, capture_output=True, text=True).stdout.split("\n")

    assert ("colorama", 391, (), ()) == (case.stream.id, len(case.stream.units), case.questions, case.notes)
    heads = [HEAD.fullmatch(step.action) for step in archive.units()]
    told = [part for h in heads if h for part in (f"{h[1]} {h[2]}", h[3], " ".join(h[4].split("\n\n")[0].split("\n")))]
    assert listed[:-1] == told
    assert {"", "diff --git ", "diff --cc "} == {re.match("diff --[a-z]+ |", s.observation)[0] for s in archive.units()}  # type: ignore[index]
    written = (
        line for s in archive.units() if s.observation[:10] == "diff --git" for line in s.observation.split("\n")
    )
    added = sum(line.startswith("+") and not line.startswith(("+++ a/", "+++ b/", "+++ /dev/null")) for line in written)
    counted = ["git", "-C", str(tmp_path / "c.git"), "log", "--format=", "--numstat", "--find-renames", "--no-merges"]
    numbers = subprocess.run(counted, check=True, capture_output=True, text=True).stdout.split("\n")
    assert sum(int(line.split("\t")[0]) for line in numbers if line and line[0] != "-") == added


def test_commits(made: Repository) -> None:
    """A commit's head has hash, time with offset, author and message; its difference is git's, line ends kept."""
    first, second = steps(made.path)
    head = HEAD.fullmatch(first.action)
    assert head
    assert made.git("rev-parse", "HEAD~1").strip() == head[1]
    assert ("2024-05-08T10:00:00+02:00", "Ana Pérez <ana@example.org>") == (head[2], head[3])
    assert "Begin\n\nWith a file." == head[4]
    assert first.observation.startswith("diff --git a/a.py b/a.py\nnew file mode 100644\nindex 000000000000..")
    assert "+++ b/é.txt\n@@ -0,0 +1 @@\n+ü" in first.observation
    assert second.observation.endswith("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-size = 1\n+size = 2\r")
    assert (1, 2) == (first.index, second.index)


def test_kinds_of_changes(made: Repository) -> None:
    """Renames, deletions, binary files, odd names and empty commits are told as git tells them."""
    made.git("mv", "a.py", "b c.py")
    made.commit("Rename")
    made.commit("Binary", {"x.bin": bytes(range(256))})
    (made.path / "x.bin").unlink()
    made.commit("Delete")
    made.commit("Nothing")

    *_, rename, binary, delete, nothing = (step.observation for step in steps(made.path))

    assert ["similarity index 100%", "rename from a.py", "rename to b c.py"] == rename.split("\n")[1:]
    assert binary.endswith("Binary files /dev/null and b/x.bin differ")
    assert "deleted file mode 100644" in delete
    assert "" == nothing


def test_merges(made: Repository) -> None:
    """A merge shows only what it changed itself: nothing, or how a conflict was solved. Parents come first."""
    made.git("checkout", "--quiet", "-b", "side", "HEAD~1")
    made.commit("Side", {"side.py": b"x = 1\n"})
    made.git("checkout", "--quiet", "main")
    made.git("merge", "--quiet", "--no-ff", "-m", "Merge side", "side")
    made.hour += 1
    made.git("checkout", "--quiet", "-b", "other", "side")
    made.commit("Other", {"a.py": b"size = 3\n"})
    made.git("checkout", "--quiet", "main")
    with pytest.raises(subprocess.CalledProcessError):
        made.git("merge", "--quiet", "other")
    made.commit("Merge other", {"a.py": b"size = 4\n"})

    told = {step.action.split("\n\n")[1]: step.observation for step in steps(made.path)}

    assert ["Begin", "Change", "Side", "Merge side", "Other", "Merge other"] == list(told)
    assert "" == told["Merge side"]
    assert told["Merge other"].startswith("diff --cc a.py\n")
    assert "\n++size = 4" in told["Merge other"]


def test_what_is_no_utf8(made: Repository) -> None:
    """Lines that are not UTF-8 are read as Latin-1, those beside them as they are, and the step is noted."""
    made.commit("Old text", {"old.txt": b"caf\xe9\ncaf\xc3\xa9\n"})
    case = load(made.path)
    assert case.stream.units[-1].observation.endswith("+café\n+café")
    assert ["kite: lines that are not UTF-8 were read as Latin-1, in steps: 3"] == list(GitHistory().check(made.path))


def test_text_that_looks_like_a_commit(made: Repository) -> None:
    """Neither a message nor a file can pass for the beginning of a commit."""
    forged = made.git("log", "--format=%x00%H%x00%aI%x00%an <%ae>%x00%B%x00").encode()
    (made.path / ".gitattributes").write_text("*.forged diff\n")
    made.commit("commit 0123 2024\nAuthor: X <y>\n\ndiff --git a/x b/x", {"x.forged": forged + b"\n" + forged})

    assert 3 == len(steps(made.path))
    assert 3 == len({step.action for step in steps(made.path)})
    assert "\0" in steps(made.path)[-1].observation


def test_nothing_is_run(made: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs named by the repository's settings, its hooks or the user's environment are not started."""
    marks = tmp_path / "marks"
    marks.mkdir()
    plain = load(made.path)
    for number, key in enumerate(("diff.external", "diff.x.textconv", "core.fsmonitor", "core.pager", "gpg.program")):
        made.git("config", key, f"sh -c 'touch {marks}/{number}; cat'")
    made.git("config", "log.showSignature", "true")
    made.git("config", "diff.noprefix", "true")
    made.git("config", "diff.context", "0")
    (made.path / ".git" / "info" / "attributes").write_text("*.py diff=x\n")
    (made.path / ".git" / "hooks" / "post-checkout").write_text(f"#!/bin/sh\ntouch {marks}/hook\n")
    (made.path / ".git" / "hooks" / "post-checkout").chmod(0o755)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", f"touch {marks}/external")
    monkeypatch.setenv("GIT_DIR", str(tmp_path))

    assert plain == load(made.path)
    assert [] == list(marks.iterdir())


def test_ways_to_name_a_repository(made: Repository, tmp_path: Path) -> None:
    """A bundle, a bare clone and the .git folder hold the history that the working tree holds."""
    made.git("bundle", "create", "--quiet", str(tmp_path / "kite.bundle"), "HEAD", "main")
    made.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare" / "kite.git"))
    told = load(made.path)
    for path in ("kite.bundle", "bare/kite.git", "kite/.git"):
        assert told == load(tmp_path / path)


def test_revision(made: Repository) -> None:
    """Another revision has another history."""
    assert ["Begin\n\nWith a file."] == [
        step.action.split("\n\n", 1)[1] for step in load(made.path, "HEAD~1").stream.units
    ]


def test_reading_may_be_left_off(shared: Path) -> None:
    """A reader that stops at the first commit leaves no process behind and no fault."""
    from memkit_plugins.git_history.commits import read_commits

    with git_history._repository(shared / "data" / "git" / "colorama.bundle") as folder:
        commits = read_commits(folder, "HEAD", where="here")
        first = next(commits)
        commits.close()  # type: ignore[attr-defined]
    assert "Make it so" == first.message


def test_faults(made: Repository, tmp_path: Path) -> None:
    """What is no repository is one sentence with its path; a folder within one is not taken for the whole."""
    empty = Repository(tmp_path / "empty")
    (made.path / "inner").mkdir()
    (tmp_path / "text").write_text("# no bundle")
    (tmp_path / "torn.bundle").write_text("# v2 git bundle\n")
    repository = "git cannot read this repository"
    for path, revision, expected in (
        (tmp_path / "gone", "HEAD", ": there is no such file or folder; give the path to a git repository or a bundle"),
        (tmp_path / "text", "HEAD", ": this file is no bundle; give the path to a git repository or a bundle made by"),
        (tmp_path / "torn.bundle", "HEAD", f": {repository} ("),
        (made.path / "inner", "HEAD", f": {repository} (not a git repository"),
        (made.path, "nope", f": {repository} (bad revision 'nope'); check the path"),
        (made.path, f"--output={tmp_path}/written", f": {repository} (bad revision '--output="),
        (empty.path, "HEAD", f": {repository} (bad revision 'HEAD'); check the path"),
    ):
        with pytest.raises(DataError) as caught:
            load(path, revision)
        assert str(caught.value).startswith(f"{path}{expected}")
    with pytest.raises(DataError, match="needs a path"):
        list(GitHistory().load(None))
    assert not (tmp_path / "written").exists()


def test_without_git(made: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where git is not installed, that is said."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DataError, match=r"kite: reading a repository needs the program git; install it"):
        load(made.path)


def test_registration() -> None:
    """The dataset is registered and fits the contract with and without its option."""
    registry = Registry()
    memkit_register(registry)
    assert GitHistory() == registry.make("dataset", "git")
    assert GitHistory("main") == registry.make("dataset", "git", {"revision": "main"})
