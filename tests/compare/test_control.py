from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from memkit.compare import control as module
from memkit.compare.control import CONTROL_FILE, Control, close_control, control_of
from memkit.compare.leases import Leases
from memkit.errors import UserError

HOLD = """
import sys, time
from pathlib import Path
from memkit.compare.control import Control
from memkit.compare.leases import Leases
with Leases(Control(Path(sys.argv[1]))).hold(["a", "b"]):
    print("held", flush=True)
    time.sleep(60)
"""


def hold_elsewhere(folder: Path) -> subprocess.Popen[str]:
    """Another process, which holds the units a and b."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert "held\n" == process.stdout.readline()
    return process


def test_a_unit_has_one_holder(tmp_path: Path) -> None:
    """What a living process holds is nobody else's; what it gives back is."""
    one, other = Leases(Control(tmp_path)), Leases(Control(tmp_path))
    with one.hold(["a", "b"]) as first:
        with other.hold(["b", "c"]) as second:
            assert ({"a", "b"}, {"c"}) == (first, second)
        with other.hold(["c"]) as third:
            assert {"c"} == third
    with other.hold(["a", "b"]) as fourth:
        assert {"a", "b"} == fourth
    one.control.close()
    other.control.close()


def test_a_killed_holder_loses_its_units_at_once(tmp_path: Path) -> None:
    """A process of this machine that is dead holds nothing; one that lives does."""
    control, process = Control(tmp_path), hold_elsewhere(tmp_path)
    with Leases(control).hold(["a", "c"]) as mine:
        assert {"c"} == mine
    process.kill()
    process.communicate()
    with Leases(control).hold(["a", "c"]) as mine:
        assert {"a", "c"} == mine
    control.close()


def test_a_holder_that_is_not_heard_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a process of another machine the signs of life tell: without any for long enough, its units come back."""
    control, process = Control(tmp_path), hold_elsewhere(tmp_path)
    with control.changing() as connection:
        connection.execute("UPDATE owners SET host = 'elsewhere' WHERE name != ?", (control.name,))
    process.kill()
    process.communicate()
    with Leases(control).hold(["a"]) as mine:
        assert set() == mine
    now = time.time()
    monkeypatch.setattr(module.time, "time", lambda: now + module.LEASE_SECONDS + 1)
    with Leases(control).hold(["a"]) as mine:
        assert {"a"} == mine
    control.close()


def test_signs_of_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is open, an opening keeps its own leases alive."""
    monkeypatch.setattr(module, "BEAT_SECONDS", 0.01)
    control = Control(tmp_path)

    def until() -> float:
        with control.changing() as connection:
            row = connection.execute("SELECT until FROM owners WHERE name = ?", (control.name,)).fetchone()
        return float(row[0])

    first, patience = until(), time.monotonic() + 30
    while until() == first and time.monotonic() < patience:
        time.sleep(0.01)
    assert first < until()
    control.close()


def test_stop_and_go(tmp_path: Path) -> None:
    """Every opening sees that the run is to stop, for the first reason that was given, until it may go on."""
    one, other = Control(tmp_path), Control(tmp_path)
    assert "" == other.stopped
    one.stop("budget")
    other.stop("interrupt")
    assert ("budget", "budget") == (one.stopped, other.stopped)
    other.go()
    assert "" == one.stopped
    one.close()
    other.close()


def test_one_opening_a_process(tmp_path: Path) -> None:
    """It is kept until it is closed, and closing it twice is no harm."""
    control = control_of(tmp_path)
    assert control is control_of(tmp_path)
    close_control(tmp_path)
    close_control(tmp_path)
    assert control is not control_of(tmp_path)
    close_control(tmp_path)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    """A damaged file is told in one sentence with the mend."""
    (tmp_path / CONTROL_FILE).write_text("no database, but long enough to be taken for one" * 100)
    with pytest.raises(UserError) as caught:
        Control(tmp_path)

    found = str(caught.value)
    assert (
        f"{tmp_path}/control.db cannot be used: file is not a database; mend that, or move it away, and run again"
        == found
    )
