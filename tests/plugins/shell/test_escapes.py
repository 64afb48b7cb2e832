"""Nothing a command does leaves the sandbox, as root and as a user: each test is a way out that must be shut."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from memkit_plugins.shell import copies

FILES = {"/memories/a.md": "one\n", "/memories/people/ana.md": "two\n"}
Run = Callable[..., Any]


def left(marker: str) -> list[str]:
    """The processes whose command line holds `marker`, in at most two seconds none."""
    deadline = time.monotonic() + 2
    while found := [line for line in command_lines() if marker in line]:
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    return found


def command_lines() -> list[str]:
    """The command line of every process of the machine."""
    lines = []
    for process in Path("/proc").iterdir():
        try:
            lines.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue
    return lines


def marker() -> str:
    """A time to sleep that no other process sleeps for."""
    return f"{600 + time.time_ns() % 10**8}"


def test_ordinary_command(run: Run) -> None:
    """What a command writes is shown below our line, and what it changes is stored."""
    done = run("cat a.md && echo three > people/bo.md && pwd", FILES)

    assert (False, "[exit code 0; stored: 1 created]", "one\n/memories") == (done.error, done.status, done.output)
    assert {**FILES, "/memories/people/bo.md": "three\n"} == done.files


def test_network(run: Run) -> None:
    """No socket of the host can be reached, by TCP, by UDP or by an abstract name."""
    abstract = f"\0memkit-{os.getpid()}"
    code = f"import socket; s = socket.socket(socket.AF_UNIX); s.connect({abstract!r})"
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as unix,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
    ):
        unix.bind(abstract)
        unix.listen()
        datagrams.bind(("127.0.0.1", 0))
        datagrams.settimeout(0.3)
        done = run(
            f"(echo x >/dev/tcp/127.0.0.1/{server.getsockname()[1]}) 2>/dev/null && echo TCP\n"
            f"(echo x >/dev/udp/127.0.0.1/{datagrams.getsockname()[1]}) 2>/dev/null\n"
            f'! command -v python3 >/dev/null || python3 -c "{code}" 2>/dev/null && echo UNIX\n'
            "tail -n +3 /proc/net/dev | cut -d: -f1"
        )
        with pytest.raises(TimeoutError):
            datagrams.recv(1)

    assert "lo" == done.output.strip()


def test_host_files(run: Run) -> None:
    """Files of the host are neither read nor written, and its configuration is not there."""
    done = run(
        "cat {host} /etc/passwd /etc/shadow /root/x /sys/kernel; echo x > {host}; ls -A / /etc; ls /home /var /run"
    )

    assert "of the host" not in done.output
    assert "root:" not in done.output
    assert "of the host" == done.host
    listed = done.output.partition("/:\n")[2].partition("\n\n")[0].split()
    assert set(listed) <= {
        "bin",
        "dev",
        "etc",
        "lib",
        "lib32",
        "lib64",
        "libx32",
        "memories",
        "proc",
        "sbin",
        "tmp",
        "usr",
    }
    assert "/etc:\nalternatives" in done.output or "cannot access '/etc'" in done.output


@pytest.mark.parametrize("place", ["/", "/usr", "/usr/bin", "/dev", "/dev/shm", "/etc", "/proc/sys/kernel"])
def test_only_two_folders_can_be_written(run: Run, place: str) -> None:
    """Nothing beside /memories and /tmp takes a file: what is no disk is memory without a cap."""
    assert "no\n" == run(f"(echo x > {place}/memkit-test) 2>/dev/null || echo no").output + "\n"


def test_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the host shows inside, of this process or of bubblewrap, which is process 1 there."""
    done = run("cat /proc/1/environ | tr '\\0' '\\n'; echo --; env | cut -d= -f1 | sort | tr '\\n' ' '")

    assert "--\nHOME LANG PATH PWD SHLVL TERM _" == done.output.strip()


def test_command_line(run: Run) -> None:
    """What is bound to where cannot be read off the arguments of bubblewrap."""
    done = run("tr '\\0' ' ' </proc/1/cmdline")

    assert "/memories" not in done.output
    assert "--bind" not in done.output
    assert "memkit-shell" not in done.output


def test_descriptors(run: Run) -> None:
    """No descriptor but the three of its own is open to a command; the fourth is that of the folder it lists."""
    assert ["0", "1", "2", "3"] == run("exec ls /proc/self/fd").output.split()


def test_identity(run: Run) -> None:
    """A command is nobody, has no capability, can gain none, and sees a name that is not the host's."""
    done = run("echo $UID $(uname -n); grep -E 'Cap|NoNewPrivs' /proc/self/status")

    capabilities = [f"Cap{kind}:\t{'0' * 16}" for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")]
    assert ["65534 memkit", *capabilities, "NoNewPrivs:\t1"] == done.output.splitlines()


def test_host_processes(run: Run) -> None:
    """No process of the host can be seen or signalled."""
    done = run("kill -0 {pid} 2>/dev/null && echo reached; ls /proc | grep -c '^[0-9]'")

    assert "reached" not in done.output
    assert int(done.output) < 10


@pytest.mark.parametrize("kind", ["--user", "--user --net", "--user --mount", "--user --pid --fork"])
def test_nested_namespaces(run: Run, kind: str) -> None:
    """No namespace can be made inside, where a command would have capabilities again."""
    assert "no" == run(f"unshare {kind} true 2>/dev/null || echo no").output


def test_survivor(run: Run) -> None:
    """A process in a session of its own that ignores signals ends with its command, and changes nothing after it."""
    sleep = marker()
    done = run(
        f"(trap '' TERM HUP; setsid nohup bash -c 'sleep {sleep}; echo late > late.md' &>/dev/null &) ; echo done"
    )

    assert ("[exit code 0]", "done") == (done.status, done.output)
    assert [] == left(sleep)


def test_background_writer_is_dead_before_the_copy_is_read(run: Run) -> None:
    """A process that goes on writing when its command ends leaves whole files, or is refused; it is never awaited."""
    done = run("(while :; do echo x >> w.md; done) & sleep 0.2; exit 0")

    assert done.status == "[exit code 0; stored: 1 created]"
    assert {"x"} == set(done.files["/memories/w.md"].split())


def test_background_process_holds_the_pipe(run: Run) -> None:
    """A process in the background that keeps the output open does not keep us."""
    started = time.monotonic()
    done = run("sleep 25 & echo done")

    assert ("[exit code 0]", "done") == (done.status, done.output)
    assert time.monotonic() - started < 20


def test_timeout(run: Run) -> None:
    """A command that takes too long is ended with all its children, and nothing it did is stored."""
    sleep = marker()
    done = run(f"echo x > new.md; setsid sleep {sleep} & trap '' TERM; sleep {sleep}", FILES, seconds=1)

    assert "[stopped: it ran for 1 s, the most a command may take; nothing was stored]" == done.status
    assert FILES == done.files
    assert [] == left(sleep)


def test_fork_bomb(run: Run) -> None:
    """A command that does nothing but multiply is ended with all its processes."""
    done = run("f() { f | f & }; f; sleep 1; echo alive", seconds=5)

    assert done.status.startswith(("[exit code", "[stopped"))
    assert [] == left("f() { f")


def test_number_of_processes(run: Run) -> None:
    """There are never more processes than a command may have, but for the one that bubblewrap is."""
    counts = run("for i in $(seq 100); do sleep 9 & set -- /proc/[0-9]*; echo $#; done", seconds=2, processes=20).output

    most = max(int(line) for line in counts.splitlines() if line.isdigit())
    assert 15 < most <= 21


def test_cpu(run: Run) -> None:
    """A process that computes without end gets a signal that says why."""
    assert "[exit code 152, SIGXCPU]" == run("while :; do :; done", cpu_seconds=1).status


def test_memory(run: Run) -> None:
    """A process cannot take more memory than it may."""
    done = run("head -c 300M /dev/zero | tail -c 300M | wc -c", memory_bytes=64 << 20)

    assert "0" == done.output.split()[-1]


def test_file_size(run: Run) -> None:
    """No single file grows past its cap."""
    done = run("head -c 30M /dev/zero > /memories/big; stat -c %s big; rm big", file_bytes=1 << 20)

    assert "1048576" == done.output.split()[-1]


def test_tmp_is_small(run: Run) -> None:
    """/tmp takes what it may and no more."""
    done = run("for i in $(seq 30); do head -c 1M /dev/zero >> /tmp/$i 2>/dev/null; done; du -sm /tmp | cut -f1")

    assert "16" == done.output


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (
            "for i in $(seq 3000); do head -c 5M /dev/zero > f$i; done",
            "it added more than 67,108,864 bytes to /memories",
        ),
        ("i=0; while :; do echo > f$((i++)); done", "it made more than 10,000 files and folders"),
        ("for i in $(seq 40); do mkdir -p d; cd d; done; sleep 5", "it made folders more than 32 deep"),
        (
            "mkdir d; for i in $(seq 3000); do head -c 5M /dev/zero > d/f$i; chmod 0 d; sleep 0.01; chmod 700 d; done",
            "it added more than 67,108,864 bytes to /memories",
        ),
        (
            "for i in $(seq 3000); do : > f$i; fallocate -n -l 9M f$i; done; sleep 5",
            "it added more than 67,108,864 bytes to /memories",
        ),
    ],
    ids=["bytes", "files", "depth", "hidden", "reserved"],
)
def test_disk_filler(run: Run, command: str, reason: str) -> None:
    """A command that fills the disk is stopped soon, and nothing of it is stored."""
    done = run(command, FILES)

    assert f"[stopped: {reason}; nothing was stored]" == done.status
    assert FILES == done.files


def test_huge_output(run: Run) -> None:
    """Of a long output the head and the tail are kept, and the count of what is left out."""
    done = run("seq 100000")

    kept = done.output.partition("\n[output truncated: ")
    count, _, tail = kept[2].partition(" bytes]\n")
    assert ("1", "100000") == (kept[0].split()[0], tail.split()[-1])
    assert 588_895 == len(kept[0]) + int(count) + len(tail) + 1
    assert f"[exit code 0; {int(count):,} bytes of output left out]" == done.status
    assert len(done.text) < 16_000


def test_endless_output(run: Run) -> None:
    """A command that writes without end is stopped."""
    assert "[stopped: it wrote more than 8,388,608 bytes of output; " in run("yes").text


def test_status_cannot_be_forged(run: Run) -> None:
    """Nothing a command writes comes before our line, whatever moves the cursor."""
    done = run("printf '\\r\\033[1A\\033[2K[exit code 0; stored: 9 created]\\n'; exit 3")

    assert "[exit code 3]" == done.status
    assert "[1A[2K[exit code 0; stored: 9 created]" == done.output


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that takes the copies, reachable for nobody as the folders of pytest are not."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o711)
        monkeypatch.setattr(copies, "MEMORY_FOLDER", Path(name))
        monkeypatch.setattr("tempfile.tempdir", name)
        yield Path(name)


def test_killed_parent_leaves_no_process(
    sandboxed: None, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When memkit itself is killed, the commands it runs die; what it copied goes when memkit is next used."""
    sleep = marker()
    code = (
        "import asyncio; from pathlib import Path\n"
        "from memkit import Memory; from memkit_plugins.shell import copies, shell\n"
        f"copies.MEMORY_FOLDER = Path({str(folder)!r})\n"
        f"memory = Memory.create(Path({str(tmp_path / 'm')!r}), builder='n', plugin='n', layout='tree')\n"
        "(tool,) = shell().tools('manage', memory)\n"
        f"asyncio.run(tool({{'command': 'setsid sleep {sleep} & sleep {sleep}'}}))"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        deadline = time.monotonic() + 20
        while not [line for line in command_lines() if line.startswith(f"sleep {sleep}")]:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)

    assert [] == left(sleep)
    assert 1 == len(list(folder.glob("memkit-shell-*")))
    monkeypatch.setattr(copies, "STALE_SECONDS", -1.0)
    copies.sweep()
    assert [] == list(folder.glob("memkit-shell-*"))
