"""Eight processes on one store: each call is made once, and a killed process leaves it in order."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from memkit.calls.keys import address
from memkit.calls.recorded import RecordedModel
from memkit.calls.store import CallStore
from memkit.records import Completion, Message, Request, Usage

PROCESSES = 8
WORKER = """
import asyncio, os, random, sys
from pathlib import Path
from memkit import CallStore, Completion, Message, RecordedModel, Request, Usage

path, log, seed, count, seconds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])

class Server:
    name = "openai/gpt-4.1"

    async def complete(self, request):
        file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, (request.messages[0].content + "\\n").encode())
        os.close(file)
        await asyncio.sleep(seconds)
        return Completion(Message("assistant", "reply to " + request.messages[0].content), Usage(10, output=5))

async def main():
    numbers = list(range(count))
    random.Random(seed).shuffle(numbers)
    with CallStore(path) as store:
        model = RecordedModel(Server(), store)
        for number in numbers:
            reply = await model.complete(Request((Message("user", f"question {number}"),), "search"))
            assert reply.message.content == f"reply to question {number}"
            print(number, flush=True)

asyncio.run(main())
"""


def start(path: Path, log: Path, *, seed: int, count: int, seconds: float) -> subprocess.Popen[str]:
    """A process that makes `count` calls in an order of its own, and prints each it has the reply of."""
    arguments = [str(path), str(log), str(seed), str(count), str(seconds)]
    return subprocess.Popen([sys.executable, "-c", WORKER, *arguments], stdout=subprocess.PIPE, text=True)


def sent(log: Path) -> list[str]:
    """What reached the server."""
    return log.read_text().splitlines()


def test_each_call_is_made_once(tmp_path: Path) -> None:
    """Eight processes with the same calls in different orders: the server sees no request twice."""
    log = tmp_path / "log"
    workers = [start(tmp_path / "calls.db", log, seed=n, count=40, seconds=0.005) for n in range(PROCESSES)]
    outputs = [worker.communicate()[0] for worker in workers]

    assert [0] * PROCESSES == [worker.returncode for worker in workers]
    assert [list(range(40))] * PROCESSES == [sorted(map(int, output.split())) for output in outputs]
    assert sorted(f"question {number}" for number in range(40)) == sorted(sent(log))


def test_killed_at_any_moment(tmp_path: Path) -> None:
    """Killed twice over, what processes had is on record, what they held is taken over, and the file is sound.

    The server saw no recorded request twice.
    """
    path, log, count = tmp_path / "calls.db", tmp_path / "log", 150
    chance, known, held = random.Random(7), set(), 0
    for turn in range(2):
        workers = [start(path, log, seed=8 * turn + n, count=count, seconds=0.003) for n in range(PROCESSES)]
        for worker in workers:
            assert worker.stdout is not None
            worker.stdout.readline()  # it has begun
        time.sleep(chance.uniform(0.0, 0.03))
        for worker in workers:
            worker.kill()
        known |= {line for worker in workers for line in worker.communicate()[0].splitlines()}
        with closing(sqlite3.connect(path)) as connection:
            held += connection.execute("SELECT count(*) FROM claims").fetchone()[0]
    with CallStore(path) as store:
        keys = {line: address("openai/gpt-4.1", {}, _request(int(line)), 0).key for line in known}
        lost = [line for line, key in keys.items() if store.find(key) is None]
    finish = start(path, log, seed=99, count=count, seconds=0.0)
    output, _ = finish.communicate()

    assert [] == lost
    assert 0 == finish.returncode
    assert list(range(count)) == sorted(map(int, output.split()))
    with closing(sqlite3.connect(path)) as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
        assert [(0,)] == connection.execute("SELECT count(*) FROM claims").fetchall()
    # Each kill may lose the one call a process was in; every other reached the server once.
    assert count <= len(sent(log)) <= count + held


def _request(number: int) -> Request:
    return Request((Message("user", f"question {number}"),), "search")


def test_a_dead_owner_is_followed(tmp_path: Path) -> None:
    """A process that dies in a call frees it for those who wait, and only then."""
    path, log = tmp_path / "calls.db", tmp_path / "log"
    owner = start(path, log, seed=0, count=1, seconds=600)
    while not log.exists():
        assert owner.poll() is None
        time.sleep(0.01)

    class Mine:
        name = "openai/gpt-4.1"

        async def complete(self, request: Request) -> Completion:
            return Completion(Message("assistant", f"mine: {request.messages[0].content}"), Usage(1))

    async def main() -> tuple[bool, str]:
        with CallStore(path) as store:
            waiting = asyncio.create_task(RecordedModel(Mine(), store).complete(_request(0)))
            await asyncio.sleep(0.2)
            early = waiting.done()
            os.kill(owner.pid, signal.SIGKILL)
            return early, (await waiting).message.content

    found = asyncio.run(main())
    owner.communicate()

    assert (False, "mine: question 0") == found
