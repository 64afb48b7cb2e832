from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from memkit.registry import Registry
from memkit_plugins.local import memkit_register
from memkit_plugins.local.runner import Local

SLOW_SCRIPT = textwrap.dedent("""
    import signal, sys, threading, time
    from functools import partial
    from pathlib import Path
    from attrs import frozen
    from memkit_plugins.local.runner import Local

    @frozen
    class Slow:
        id: str
        seconds: float
        folder: Path
        def run(self):
            (self.folder / f"{self.id}.started").touch()
            time.sleep(self.seconds)
            (self.folder / f"{self.id}.done").touch()

    if __name__ == "__main__":
        jobs = [Slow(str(n), float(sys.argv[2]), Path(sys.argv[1])) for n in range(20)]
        stop = threading.Event()
        if sys.argv[3] == "drain":
            signal.signal(signal.SIGINT, lambda *_: stop.set())
        results = Local(2).run(jobs)
        try:
            for result in results:
                if stop.is_set():
                    results.close()
        except KeyboardInterrupt:
            pass
        print(len(list(Path(sys.argv[1]).glob("*.done"))), "finished", flush=True)
""")


@frozen
class Call:
    """A job that calls a function of this interpreter's standard library."""

    id: str
    function: Callable[[], Any]

    def run(self) -> Any:
        """Call it."""
        return self.function()


def jobs(*functions: Callable[[], Any]) -> list[Call]:
    """A job for each function, numbered."""
    return [Call(str(number), function) for number, function in enumerate(functions)]


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_every_job_has_its_result(workers: int) -> None:
    """Values come back under the job's id; whatever a job raises is its error text."""
    results = {
        done.id: (done.value, done.error) for done in Local(workers).run(jobs(partial(int, "7"), partial(int, "x")))
    }

    assert (7, None) == results["0"]
    assert (None, "1: ValueError: invalid literal for int() with base 10: 'x'") == results["1"]


def test_no_jobs() -> None:
    """Nothing to do is done at once."""
    assert [] == list(Local().run([]))


def test_a_dead_worker_loses_its_job_alone() -> None:
    """A process that ends under its job is an error of that job, certain and in words; the others go on."""
    work = jobs(partial(os._exit, 3), *(partial(int, str(number)) for number in range(1, 6)), partial(os._exit, 4))
    results = {done.id: (done.value, done.error) for done in Local(2).run(work)}

    died = "{}: the worker process died; what it had finished is kept"
    assert {
        "0": (None, died.format(0)),
        **{str(number): (number, None) for number in range(1, 6)},
        "6": (None, died.format(6)),
    } == results


def test_a_value_that_cannot_be_sent() -> None:
    """What cannot be pickled is an error of its job; the worker lives on."""
    results = {done.id: done for done in Local(1).run(jobs(partial(open, os.devnull), os.getpid))}

    assert "0: TypeError: cannot pickle '_io.TextIOWrapper' object" == results["0"].error
    assert os.getpid() != results["1"].value


def test_in_this_process() -> None:
    """No workers means this process."""
    assert [os.getpid()] == [done.value for done in Local(0).run(jobs(os.getpid))]


def start(folder: Path, seconds: float, on_interrupt: str = "drain") -> subprocess.Popen[str]:
    """A run of twenty slow jobs on two workers, started, its first two jobs begun."""
    script = folder / "slow_jobs.py"
    script.write_text(SLOW_SCRIPT)
    process = subprocess.Popen(
        [sys.executable, script, folder, str(seconds), on_interrupt], stdout=subprocess.PIPE, text=True
    )
    while len(list(folder.glob("*.started"))) < 2:
        assert process.poll() is None
    return process


def test_closing_drains(tmp_path: Path) -> None:
    """Closed, it lets started jobs finish and starts no other."""
    process = start(tmp_path, 1.0)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)

    started, finished = (sorted(path.stem for path in tmp_path.glob(f"*.{what}")) for what in ("started", "done"))
    assert (0, "2 finished\n") == (process.returncode, output)
    assert started == finished
    assert 2 == len(started)


def test_interrupt_ends(tmp_path: Path) -> None:
    """On a Ctrl-C that nobody handles, workers end in the middle of their jobs."""
    process = start(tmp_path, 60.0, "end")
    process.send_signal(signal.SIGINT)

    assert "0 finished\n" == process.communicate(timeout=30)[0]


def test_workers_die_with_their_parent(tmp_path: Path) -> None:
    """When the parent is killed the workers end at once, jobs half done."""
    process = start(tmp_path, 60.0)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    process.communicate(timeout=60)

    # Their output pipe is the parent's; communicate() has returned, so all who held it are gone.
    assert children
    assert [] == list(tmp_path.glob("*.done"))


def test_registration() -> None:
    """The runner is made by name, with as many workers as asked for."""
    registry = Registry()
    memkit_register(registry)

    assert Local(3) == registry.make("runner", "local", {"workers": 3})
