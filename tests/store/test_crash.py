"""What is left when writers are killed, stopped, or told that the disk failed."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from memkit.errors import LockTimeout
from memkit.store.atomic import TEMPORARY
from memkit.store.files import Store
from memkit.store.lock import Lock

REPOSITORY = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"}

OPEN = """
import json, random, sys
from pathlib import Path
from memkit.errors import StoreError
from memkit.store.files import Store
store = Store(Path(sys.argv[1]))
"""

EDITOR = (
    OPEN
    + """
for number in range(25):
    store.insert("/memories/log.md", 0, f"{sys.argv[2]}-{number}")
"""
)

# Says each change before it is made, and "done" once the store has acknowledged it.
CHANGER = (
    OPEN
    + """
generator = random.Random(sys.argv[2])
while True:
    paths = store.paths()
    path = f"/memories/{generator.choice('abc')}{generator.randrange(4)}/{generator.randrange(4)}.md"
    text = f"{generator.random()}\\n" * generator.randrange(1, 400)
    kind = generator.choice(["write", "write", "insert", "delete", "rename", "folder"])
    if kind == "write":
        change = ("write", path, text)
    elif not paths:
        continue
    elif kind == "insert":
        change = ("insert", generator.choice(paths), 0, "line")
    elif kind == "delete":
        change = ("delete", generator.choice(paths))
    elif kind == "folder":
        change = ("delete", generator.choice(paths).rpartition("/")[0])
    elif store.exists(path):
        continue
    else:
        change = ("rename", generator.choice(paths), path)
    print(json.dumps(change), flush=True)
    getattr(store, change[0])(*change[1:])
    print('"done"', flush=True)
"""
)

HOLDER = (
    OPEN
    + """
with store.lock:
    print("held", flush=True)
    sys.stdin.read()
"""
)

ONE_CHANGE = (
    OPEN
    + """
try:
    getattr(store, sys.argv[2])(*json.loads(sys.argv[3]))
except StoreError as error:
    print(error)
    sys.exit(3)
"""
)


def child(script: str, root: Path, *arguments: str, prefix: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """Start a writer of its own process."""
    return subprocess.Popen(
        [*prefix, sys.executable, "-c", script, str(root), *arguments],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def contents(store: Store) -> dict[str, str]:
    """Every file and its text."""
    return {path: store.read(path) for path in store.paths()}


def temporaries(root: Path) -> list[Path]:
    """Hidden files that interrupted changes left."""
    return [path for path in root.rglob("*") if path.name.startswith(TEMPORARY)]


def test_no_edit_is_lost_between_processes(store: Store, tmp_path: Path) -> None:
    """Eight processes edit one file at once, and each of their edits is kept."""
    store.create("/memories/log.md", "")
    writers = [child(EDITOR, tmp_path / "memory" / "memories", str(number)) for number in range(8)]
    for writer in writers:
        writer.communicate()

    assert [writer.returncode for writer in writers] == [0] * 8
    lines = store.read("/memories/log.md").splitlines()
    assert {f"{writer}-{number}" for writer in range(8) for number in range(25)} == set(lines)
    assert len(lines) == 200
    assert store.generation == 201


def test_kill_loses_no_acknowledged_change(store: Store, tmp_path: Path) -> None:
    """Whenever a writer is killed, all it acknowledged is there, and its last change whole or absent."""
    kill_rounds(store, tmp_path / "memory" / "memories", 20)


@pytest.mark.slow
def test_kill_loses_no_acknowledged_change_at_length(store: Store, tmp_path: Path) -> None:
    """The same for two hundred kills."""
    kill_rounds(store, tmp_path / "memory" / "memories", 200)


def kill_rounds(store: Store, root: Path, rounds: int) -> None:
    """Kill writers one after another on the same store, and compare what is there with what each said."""
    generator = random.Random(7)
    for number in range(rounds):
        before = contents(store)
        said = said_before_kill(root, number, generator.uniform(0, 0.05))
        acknowledged = [change for change, answer in zip(said[::2], said[1::2], strict=False) if answer == "done"]
        for change in acknowledged:
            apply(before, change)
        after = dict(before)
        if len(said) % 2:
            apply(after, said[-1])

        assert contents(store) in (before, after)

    store.write("/memories/last.md", "")
    assert temporaries(root) == []


def said_before_kill(root: Path, number: int, seconds: float) -> list[Any]:
    """Kill a writer some time after its first change began; the changes it began and acknowledged."""
    said = root.parent / f"said-{number}"
    with said.open("w") as output:
        writer = subprocess.Popen(
            [sys.executable, "-c", CHANGER, str(root), str(number)], env=ENVIRONMENT, stdout=output
        )
        while b"\n" not in said.read_bytes() and writer.poll() is None:
            time.sleep(0.001)
        time.sleep(seconds)
        writer.kill()
        writer.wait()
    # A line cut short is a change that had not begun.
    lines = [json.loads(line) for line in said.read_text().splitlines(keepends=True) if line.endswith("\n")]
    assert lines
    return lines


def apply(files: dict[str, str], change: list[str]) -> None:
    """What a change makes of the files."""
    match change:
        case ["write", path, text]:
            files[path] = text
        case ["insert", path, _, line]:
            files[path] = line + "\n" + files[path]
        case ["delete", path]:
            for other in [p for p in files if p == path or p.startswith(path + "/")]:
                del files[other]
        case ["rename", old, new]:
            files[new] = files.pop(old)


def test_leftovers_are_swept(store: Store, tmp_path: Path) -> None:
    """After a writer died the next removes its temporary files in every folder, and raises the generation."""
    root = tmp_path / "memory" / "memories"
    store.create("/memories/a/b.md", "")
    (tmp_path / "memory" / ".lock").write_text("99999\n")
    (root / f"{TEMPORARY}1").write_text("x")
    (root / "a" / f"{TEMPORARY}2").mkdir()
    generation = store.generation
    store.write("/memories/c.md", "")

    assert temporaries(root) == []
    assert generation + 2 == store.generation


def test_stopped_holder_is_named_and_killed_holder_frees(store: Store, tmp_path: Path) -> None:
    """Waiting for a stopped process ends with its pid; once it is killed the lock is free."""
    root = tmp_path / "memory" / "memories"
    holder = child(HOLDER, root)
    assert holder.stdout is not None
    holder.stdout.readline()
    holder.send_signal(signal.SIGSTOP)
    waiting = Store(root, lock=Lock(tmp_path / "memory" / ".lock", timeout=0.1))
    with pytest.raises(LockTimeout) as caught:
        waiting.write("/memories/a.md", "")

    assert f"The memory is locked: process {holder.pid} has held it for more than 0.1 s; wait for it or end it." == str(
        caught.value
    )

    holder.kill()
    holder.communicate()
    waiting.write("/memories/a.md", "x")

    assert contents(waiting) == {"/memories/a.md": "x"}


# Faults of single system calls, by strace.

CHANGES = {
    "write": ("write", ["/memories/f/a.md", "new"]),
    "create": ("create", ["/memories/g/h/b.md", "new"]),
    "str_replace": ("str_replace", ["/memories/f/a.md", "old", "new"]),
    "delete file": ("delete", ["/memories/f/a.md"]),
    "delete folder": ("delete", ["/memories/f"]),
    "rename": ("rename", ["/memories/f/a.md", "/memories/g/b.md"]),
}


def strace(fault: str) -> tuple[str, ...]:
    """A command prefix that makes system calls of the command fail."""
    calls = fault.partition(":")[0]
    return ("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}", "-e", f"inject={fault}")


@pytest.fixture(scope="module")
def tracer() -> None:
    """Skips where strace is absent or may not trace."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    if subprocess.run([*strace("fsync:error=EIO:when=1"), "true"], check=False, capture_output=True).returncode:
        pytest.skip("strace may not trace here")


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    ("calls", "effect"),
    [
        ("fsync", "error=EIO"),
        ("write", "error=ENOSPC"),
        ("rename,renameat,renameat2", "error=EDQUOT"),
        ("rename,renameat,renameat2", "signal=KILL"),
        ("unlinkat", "signal=KILL"),
    ],
)
def test_every_fault_leaves_old_or_new(tracer: None, tmp_path: Path, change: str, calls: str, effect: str) -> None:
    """Whichever call fails or kills, the files are old or new, as the error says, and no temporary file lasts."""
    operation, arguments = CHANGES[change]
    expected = {"/memories/f/a.md": "old"}
    for when in range(1, 20):
        memory = tmp_path / str(when)
        store = Store.make(memory / "memories")
        store.create("/memories/f/a.md", "old")
        old_folders = store.entries()
        new = Store.make(memory / "reference" / "memories")
        new.create("/memories/f/a.md", "old")
        getattr(new, operation)(*arguments)
        run = child(
            ONE_CHANGE,
            memory / "memories",
            operation,
            json.dumps(arguments),
            prefix=strace(f"{calls}:{effect}:when={when}"),
        )
        said = run.communicate()[0]
        found = contents(store)

        assert found in (expected, contents(new))
        if run.returncode == 0:
            assert contents(new) == found
        elif "KILL" in effect:
            assert said == ""
        elif "may not last" in said:
            assert contents(new) == found
        else:
            assert run.returncode == 3
            assert old_folders == store.entries()
            assert temporaries(memory / "memories") == []
        store.write("/memories/after.md", "")
        assert temporaries(memory / "memories") == []
        if run.returncode == 0:
            return
    pytest.fail("the change never went through")
