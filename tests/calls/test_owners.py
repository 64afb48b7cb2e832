"""A claim belongs to a process, and ends with it."""

from __future__ import annotations

import os
import subprocess
import sys

from memkit.calls.owners import Owner, started


def test_this_process_lives() -> None:
    """The process that asks is alive."""
    start = started(os.getpid())

    assert start is not None
    assert Owner("a", os.getpid(), start).alive


def test_an_ended_process() -> None:
    """A process is dead when it has ended, before and after its parent takes notice."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    start = started(child.pid)
    assert start is not None
    owner = Owner("a", child.pid, start)
    assert owner.alive
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    before = owner.alive
    child.communicate()

    assert (False, False) == (before, owner.alive)


def test_a_pid_used_again() -> None:
    """Another process under the same pid is not the owner."""
    assert not Owner("a", os.getpid(), "1").alive
