"""Calls of a provider's model through memkit, beside bare `litellm.acompletion` and beside the ideal.

Run `python benchmarks/perf/model_calls.py`. CALLS calls are made at once to a server on this machine, in a process of
its own, which answers each after a fixed time; that time is the ideal. The request is one of the size of a search's
sixth round. Times are the median of RUNS runs in seconds, over open connections, the two ways taking turns; a ratio is
the median of the runs' own ratios. CPU is this process's, in milliseconds a call, with what litellm does after a reply.
Goal: at most 1.10 of bare litellm for calls of 200 ms, and within 1.1 of the ideal for calls of 2 s.

Measured on two quiet cores with litellm 1.110: 0.92 of bare litellm for 200 ms and 1.09 of the ideal for 2 s, where
bare litellm is at 1.10; runs differ by 0.02. Without TURNS of the plugin's throttle.py it was 1.07 and 1.12. CPU is 4.1
to 4.4 ms a call, 3.8 without TURNS, of which litellm's own is 3.3 to 3.5 and memkit's reading and writing of records
0.1. No setting or argument of litellm's takes a measurable part off its own; over a third of that goes into its log of
the call and the call's price, about as much into the HTTP clients.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from statistics import median
from time import perf_counter, process_time
from typing import Any

from attrs import frozen

from memkit import Memory, Message, Request, ToolCall, build_registry, open_model
from memkit.testing.samples import sample_memory
from memkit.testing.server import LoopbackServer, Says
from memkit_plugins.litellm_model.home import at_home
from memkit_plugins.litellm_model.switches import load
from memkit_plugins.litellm_model.wire import write_messages, write_tools

CALLS = 64
RUNS = 5
DELAYS = (0.2, 2.0)
NAME = "openai/gpt-4o-mini"
ROUNDS = 5
SETTLE = 0.1
"""Seconds after the last reply in which litellm finishes its records of the calls."""
RESULT = "     7\t[S1T1] Ana: I bought the red kite in Porto, from a shop by the river.\n" * 30


@frozen
class Taken:
    """What CALLS calls took: seconds until the last reply, and milliseconds of CPU for each."""

    wall: float
    cpu: float


def main() -> None:
    """Print one line a delay."""
    os.environ["OPENAI_API_KEY"] = "loopback-key"
    print(f"{CALLS} calls at once, {os.cpu_count()} cores, median of {RUNS}")
    columns = f"{'each call':>10}{'memkit':>9}{'litellm':>9}{'to litellm':>12}{'litellm to ideal':>18}{'to ideal':>10}"
    print(f"{columns}{'CPU':>8}{'litellm':>9}")
    for delay in DELAYS:
        here, there = multiprocessing.Pipe()
        server = multiprocessing.get_context("spawn").Process(target=_serve, args=(delay, there), daemon=True)
        server.start()
        try:
            print(asyncio.run(_row(delay, here.recv())))
        finally:
            here.send("stop")
            server.join()


def _serve(delay: float, pipe: Connection) -> None:
    with LoopbackServer(lambda _: Says("In Porto.", delay=delay)) as server:
        pipe.send(server.openai)
        pipe.recv()


async def _row(delay: float, base: str) -> str:
    request = _request()
    model = open_model(build_registry(), NAME, {"api_base": base, "max_concurrency": CALLS})
    litellm = load()
    arguments: dict[str, Any] = {
        "model": NAME,
        "messages": write_messages(request.messages),
        "tools": write_tools(request.tools),
        "max_tokens": request.max_output_tokens,
        "api_base": base,
        "timeout": 600.0,
        "max_retries": 0,
        "drop_params": True,
    }
    ways: tuple[Callable[[], Awaitable[Taken]], ...] = (
        lambda: _time(lambda: model.complete(request)),
        # In memkit's loop: litellm does not bear being used from two.
        lambda: at_home(_time(lambda: litellm.acompletion(**arguments))),
    )
    times: list[list[Taken]] = [[], []]
    for run in range(RUNS + 1):
        for way in (0, 1) if run % 2 else (1, 0):
            times[way].append(await ways[way]())
    ours, bare = (column[1:] for column in times)  # the first opens the connections
    to_bare = median(a.wall / b.wall for a, b in zip(ours, bare, strict=True))
    wall, wall_bare = (median(one.wall for one in column) for column in (ours, bare))
    cpu, cpu_bare = (median(one.cpu for one in column) for column in (ours, bare))
    return (
        f"{delay:>8.1f} s{wall:>9.3f}{wall_bare:>9.3f}{to_bare:>12.3f}"
        f"{wall_bare / delay:>18.3f}{wall / delay:>10.3f}{cpu:>8.2f}{cpu_bare:>9.2f}"
    )


async def _time(call: Callable[[], Awaitable[Any]]) -> Taken:
    started, cpu = perf_counter(), process_time()
    await asyncio.gather(*(call() for _ in range(CALLS)))
    wall = perf_counter() - started
    await asyncio.sleep(SETTLE)
    return Taken(wall, (process_time() - cpu) * 1000 / CALLS)


def _request() -> Request:
    """A search in its sixth round."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        memory: Memory = sample_memory(Path(folder) / "memory", "tree")
        tools = build_registry().make("harness", "center").tools("search", memory)
    messages = [Message("system", "You answer questions from a memory. " * 100), Message("user", "Where is the kite?")]
    for number in range(ROUNDS):
        call = ToolCall(f"call_{number}", "view", '{"path": "/memories/people/ana.md"}')
        messages += [Message("assistant", "", (call,)), Message("tool", RESULT, tool_call_id=call.id)]
    return Request(tuple(messages), "search", tuple(tool.spec for tool in tools))


if __name__ == "__main__":
    main()
