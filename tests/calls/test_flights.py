"""Equal calls under way become one."""

from __future__ import annotations

import asyncio
import threading

import pytest

from memkit.calls.flights import Flights
from memkit.errors import TransientModelError


def test_one_makes_for_all() -> None:
    """Those who come while a call is under way get its value, and know that it was not theirs."""
    made: list[int] = []

    async def make() -> int:
        made.append(1)
        await asyncio.sleep(0.01)
        return 7

    async def main() -> list[tuple[int, bool]]:
        flights: Flights[int] = Flights()
        return [*await asyncio.gather(*(flights.share("k", make) for _ in range(5))), await flights.share("k", make)]

    assert [(7, True), *[(7, False)] * 4, (7, True)] == asyncio.run(main())
    assert 2 == len(made)


def test_unequal_calls_fly_apart() -> None:
    """Another key is another call."""

    async def make() -> int:
        await asyncio.sleep(0)
        return 1

    async def main() -> list[tuple[int, bool]]:
        flights: Flights[int] = Flights()
        return await asyncio.gather(flights.share("a", make), flights.share("b", make))

    assert [(1, True), (1, True)] == asyncio.run(main())


def test_a_model_error_is_shared() -> None:
    """Those who wait get the error of the call they waited for; it is not made again for each."""
    made: list[int] = []

    async def make() -> int:
        made.append(1)
        await asyncio.sleep(0.01)
        raise TransientModelError("busy")

    async def main() -> list[object]:
        flights: Flights[int] = Flights()
        return await asyncio.gather(*(flights.share("k", make) for _ in range(3)), return_exceptions=True)

    assert ["busy"] * 3 == [str(error) for error in asyncio.run(main())]
    assert 1 == len(made)


@pytest.mark.parametrize("who", [0, 1], ids=["the maker", "one who waits"])
def test_cancelling_one_leaves_the_others(who: int) -> None:
    """A cancelled caller takes nobody with it: when it made the call, another makes it."""
    made: list[int] = []

    async def make() -> int:
        made.append(1)
        await asyncio.sleep(0.05)
        return 7

    async def main() -> list[object]:
        flights: Flights[int] = Flights()
        tasks = [asyncio.create_task(flights.share("k", make)) for _ in range(4)]
        await asyncio.sleep(0.01)
        tasks[who].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    found = asyncio.run(main())
    values = [each[0] for each in found if isinstance(each, tuple)]

    assert [7, 7, 7] == values
    assert isinstance(found[who], asyncio.CancelledError)
    assert 2 - who == len(made)


def test_threads_share() -> None:
    """Event loops of different threads share a call."""
    flights: Flights[int] = Flights()
    made: list[int] = []
    found: list[tuple[int, bool]] = []
    started = threading.Barrier(4)

    async def make() -> int:
        made.append(1)
        await asyncio.sleep(0.2)
        return 7

    def work() -> None:
        started.wait()
        found.append(asyncio.run(flights.share("k", make)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [(7, False)] * 3 + [(7, True)] == sorted(found)
    assert 1 == len(made)
