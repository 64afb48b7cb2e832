"""Commits: what a patch touches, adds and assigns."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memkit.events.commits import is_commit, read_commit

HEADER = "commit 0123456789abcdef\nAuthor: A <a@example.org>\nDate:   2021-02-03 04:05:06 +0100\n\n    Say\n"
PATCH = """\
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1,4 @@
+VERSION = "1.2"
+limit: int = 3
+if a == b:
+diff --git a/no b/no
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
--- not a header
diff --git a/x.py b/y.py
similarity index 90%
rename from x.py
rename to y.py
--- a/x.py
+++ b/y.py
@@ -3,2 +3,2 @@ def f():
-size = 1
+size = 2
 context = 9
diff --git "a/\\303\\251 1.bin" "b/\\303\\251 1.bin"
Binary files differ
diff --git a/with b.txt b/with b.txt
old mode 100644
new mode 100755
"""


def test_patch() -> None:
    """Status of every path, added assignments, counts of lines, and the author's time."""
    commit = read_commit(HEADER, PATCH)
    expected = (
        ("new.py.status", "added"),
        ("old.txt.status", "deleted"),
        ("x.py.status", "renamed to y.py"),
        ("é 1.bin.status", "modified"),
        ("with b.txt.status", "modified"),
        ("new.py:VERSION.value", '"1.2"'),
        ("new.py:limit.value", "3"),
        ("y.py:size.value", "2"),
    )
    assert expected == commit.changes
    assert ("new.py", "old.txt", "x.py", "y.py", "é 1.bin", "with b.txt") == commit.paths
    assert {"additions": 5.0, "deletions": 2.0, "files": 5.0} == commit.numbers
    assert "2021-02-03T04:05:06+01:00" == commit.time


def test_merge() -> None:
    """A merge's own changes are those of its combined patch."""
    head = "diff --cc a b.py\nindex 1,2..3\n--- a/a b.py\n+++ b/a b.py\n"
    patch = f"{head}@@@ -1,1 -1,1 +1,2 @@@\n  x = 0\n++y = 1\n- z = 2\n"
    commit = read_commit("commit 0123abc 2024-01-02T03:04:05+00:00\nAuthor: A\n\nMerge", patch)
    assert (("a b.py.status", "modified"), ("a b.py:y.value", "1")) == commit.changes
    assert {"additions": 1.0, "deletions": 1.0, "files": 1.0} == commit.numbers
    assert "2024-01-02T03:04:05+00:00" == commit.time


def test_one_text() -> None:
    """A step that logs header and patch together reads the same."""
    assert read_commit(HEADER, PATCH) == read_commit(HEADER + "\n" + PATCH, "")


def test_headers() -> None:
    """Only a hash makes a commit; a date of another form stays as written."""
    assert [True, False, False] == [is_commit(text) for text in ("commit 0123abc\n", "commit the change", "git commit")]
    assert "Mon Feb 3 2021" == read_commit("commit 0123abc\nDate: Mon Feb 3 2021\n", "").time


@given(st.text(st.sampled_from("+- @\n\\=ab/") | st.characters()))
def test_any_patch(text: str) -> None:
    """No patch raises."""
    commit = read_commit(HEADER, "diff --git a/f b/f\n@@ -1,3 +1,3 @@\n" + text)
    assert "f" in commit.paths


def test_real_history(shared: Path, tmp_path: Path) -> None:
    """Of every commit of a real history the counts and states are those that git itself reports."""

    def git(*arguments: str) -> str:
        run = subprocess.run(["git", "-C", str(tmp_path), *arguments], capture_output=True, check=True)
        return run.stdout.decode("utf-8", "replace")

    bundle = shared / "data" / "git" / "colorama.bundle"
    subprocess.run(["git", "clone", "-q", "--bare", str(bundle), str(tmp_path)], capture_output=True, check=True)
    log = git("log", "--no-merges", "-M", "--date=iso-strict", "--patch", "--format=%x01commit %H%nDate: %ad%n")
    counted = git("log", "--no-merges", "-M", "--numstat", "--format=%x01%H")
    for text, stat in zip(log.split("\x01")[1:], counted.split("\x01")[1:], strict=True):
        header, sign, patch = text.partition("\ndiff --git ")
        commit = read_commit(header, sign.lstrip("\n") + patch)
        lines = [line.split("\t") for line in stat.split("\n")[1:] if line]
        added, deleted = (sum(int(line[i]) for line in lines if line[i] != "-") for i in (0, 1))
        expected = {"additions": float(added), "deletions": float(deleted), "files": float(len(lines))}
        assert expected == commit.numbers
