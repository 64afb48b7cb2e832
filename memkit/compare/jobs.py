"""What the jobs of a comparison share: doing units one by one or together, and saying what became of them.

A job is picklable, so that a runner can do it in any process. What it opens (plugins, memories, tools) is kept for the
next job of the same process. Whatever a part raises is an error text of that unit alone; the job goes on.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Sequence
from functools import cache

from attrs import field, frozen

from memkit.compare.control import control_of
from memkit.compare.events import EventLog
from memkit.compare.leases import Leases
from memkit.compare.models import Calling
from memkit.errors import BudgetHit, MemkitError, TransientModelError
from memkit.plugins import build_registry
from memkit.registry import Registry

CONNECTIONS = 16
"""Units that a process works on at once when a provider's model is asked, which is to wait."""


@frozen
class Failure:
    """A unit that failed, why, and whether it may go better another time."""

    key: str
    text: str
    again: bool = False


@frozen
class Report:
    """What a job returns: what failed, and the units that another process is doing."""

    failures: tuple[Failure, ...] = ()
    held: tuple[str, ...] = ()


@frozen
class Unit:
    """A unit of work by its key; `name` tells people which. `do` raises what its parts raise."""

    key: str
    name: str
    do: Callable[[], Awaitable[None]] = field(repr=False)


class JudgeError(Exception):
    """Around what a judge raised."""


async def do_units(calling: Calling, job: str, units: Sequence[Unit], at_once: int) -> Report:
    """Do the units that nobody else does, `at_once` together, until the run is to stop.

    What a budget has no room for is left, and no failure.
    """
    control, failures = control_of(calling.run_dir), list[Failure]()
    places = asyncio.Semaphore(at_once)

    async def do(unit: Unit) -> None:
        async with places:
            if control.stopped:
                return
            try:
                await unit.do()
            except BudgetHit as hit:
                EventLog(calling.run_dir).write("budget", job=job, unit=unit.name, reason=str(hit))
            except Exception as error:  # noqa: BLE001 - a plugin may raise anything
                failures.append(_failure(unit, job, error))

    with Leases(control).hold([unit.key for unit in units]) as mine:
        EventLog(calling.run_dir).write("lease", job=job, units=len(mine))
        await asyncio.gather(*(do(unit) for unit in units if unit.key in mine))
    return Report(tuple(failures), tuple(unit.key for unit in units if unit.key not in mine))


def fault(error: BaseException) -> str:
    """What went wrong, in one sentence, with the place when it is a bug."""
    if isinstance(error, MemkitError):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({place.filename}:{place.lineno}; a bug of that part)"


def _failure(unit: Unit, job: str, error: Exception) -> Failure:
    name = f"{job}, {unit.name}" if unit.name else job
    cause: BaseException = error
    if isinstance(error, JudgeError) and error.__cause__:
        name, cause = f"{name}: {error}", error.__cause__
    return Failure(unit.key, f"{name}: {fault(cause)}", isinstance(cause, TransientModelError))


@cache
def _registry(*, accept_unsandboxed: bool) -> Registry:
    return build_registry(accept_unsandboxed=accept_unsandboxed)


def parts_of(calling: Calling) -> Registry:
    """The parts that the jobs of this process use."""
    return _registry(accept_unsandboxed=calling.accept_unsandboxed)
