"""How many calls go to a provider at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memkit_plugins.litellm_model.throttle import GROW_AFTER, TURNS, Gate, Window, gate_to

EVENTS = st.lists(st.sampled_from(("success", "refusal", "late refusal")), max_size=200)


def play(window: Window, events: Sequence[str]) -> None:
    """Tell `window` what happened; a late refusal is of a call that began before the last halving."""
    for event in events:
        if event == "success":
            window.succeeded()
        else:
            window.throttled(window.epoch - (event == "late refusal"))


@given(st.integers(1, 100), EVENTS)
def test_the_limit_stays_in_its_bounds(most: int, events: Sequence[str]) -> None:
    """Whatever happens there is room for one call, and never for more than were asked for."""
    window = Window(most)
    play(window, events)

    assert 1 <= window.limit <= most


@given(st.integers(1, 100), EVENTS)
def test_a_refusal_halves(most: int, events: Sequence[str]) -> None:
    """A refusal leaves half the room, and the others of the same moment change nothing more."""
    window = Window(most)
    play(window, events)
    limit, epoch = window.limit, window.epoch
    for _ in range(5):
        window.throttled(epoch)

    assert max(1, limit // 2) == window.limit


@given(st.integers(2, 100), st.integers(0, 400))
def test_successes_give_room_back(most: int, successes: int) -> None:
    """Every GROW_AFTER successes make room for one more call, up to the most."""
    window = Window(most)
    window.throttled(window.epoch)
    play(window, ["success"] * successes)

    assert min(most, most // 2 + successes // GROW_AFTER) == window.limit


def test_a_refusal_starts_the_count_again() -> None:
    """Only successes in a row give room back."""
    window = Window(8)
    play(window, ["refusal", *["success"] * (GROW_AFTER - 1), "late refusal", *["success"] * (GROW_AFTER - 1)])

    assert 4 == window.limit
    window.succeeded()
    assert 5 == window.limit


@given(st.integers(1, 6), st.lists(st.sampled_from(("work", "throttle", "cancel")), max_size=30))
def test_the_gate_keeps_to_the_limit(most: int, jobs: Sequence[str]) -> None:
    """No more calls are in than the limit when they entered, cancelled ones leave no trace, and all come through."""
    gate = Gate(Window(most))
    highest = 0

    async def call(job: str) -> None:
        nonlocal highest
        async with gate.slot() as window:
            highest = max(highest, gate.active)
            await asyncio.sleep(0)
            if job == "throttle":
                window.throttled(window.epoch)

    async def run() -> None:
        tasks = [asyncio.create_task(call(job)) for job in jobs]
        for number, task in enumerate(tasks):
            await asyncio.sleep(0)
            if jobs[number] == "cancel":
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())

    assert highest <= most
    assert 0 == gate.active


def test_calls_that_come_together_begin_apart() -> None:
    """Each call is begun, and has had the turns it needs to be sent, before the next one is; in the order they came."""
    begun: list[tuple[int, int]] = []

    async def call(gate: Gate, number: int, turn: list[int]) -> None:
        async with gate.slot():
            begun.append((number, turn[0]))

    async def run() -> None:
        gate, turn = Gate(Window(4)), [0]
        calls = asyncio.gather(*(call(gate, number, turn) for number in range(4)))
        while not calls.done():
            await asyncio.sleep(0)
            turn[0] += 1

    asyncio.run(run())

    assert [0, 1, 2, 3] == [number for number, _ in begun]
    turns = [turn for _, turn in begun]
    assert min(later - earlier for earlier, later in pairwise(turns)) >= TURNS


def test_one_gate_a_provider() -> None:
    """Models with the same provider, address and cap share a gate; others do not."""

    async def gates() -> list[Gate]:
        return [gate_to("a", "", 4), gate_to("a", "", 4), gate_to("b", "", 4), gate_to("a", "http://x", 4)]

    first, same, *others = asyncio.run(gates())
    assert first is same
    assert [] == [gate for gate in others if gate is first]
