"""Running jobs in worker processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

from attrs import field, frozen, validators

from memkit import Job, JobResult


@frozen
class Done:
    """A job's value, or its error as text."""

    id: str
    value: Any = None
    error: str | None = None


def _cores() -> int:
    """The processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@frozen
class Local:
    """Worker processes on this machine, one for each core unless `workers` says otherwise; 0 uses this process."""

    workers: int = field(factory=_cores, validator=validators.ge(0))

    def run(self, jobs: Sequence[Job]) -> Generator[JobResult]:
        """Yield results as they come; closed early, started jobs finish and no other starts.

        A worker that dies takes its one job with it, and the others go on. Ctrl-C ends all at once: who wants started
        jobs to finish handles the signal and closes.
        """
        if self.workers == 0:
            yield from map(_do, jobs)
            return
        waiting = iter(jobs)
        idle = [_new_worker() for _ in range(min(self.workers, len(jobs)))]
        running: dict[Future[Done], tuple[ProcessPoolExecutor, Job]] = {}
        try:
            while True:
                running |= {_submit(worker, job): (worker, job) for worker, job in _pairs(idle, waiting)}
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    worker, job = running.pop(future)
                    result, alive = _result(future, job)
                    idle.append(worker if alive else _new_worker())
                    if not alive:
                        worker.shutdown()
                    yield result
        except KeyboardInterrupt:
            _kill()
            raise
        finally:
            _end([*idle, *(worker for worker, _ in running.values())])


def _pairs(idle: list[ProcessPoolExecutor], waiting: Iterator[Job]) -> Iterator[tuple[ProcessPoolExecutor, Job]]:
    while idle and (job := next(waiting, None)) is not None:
        yield idle.pop(), job


def _new_worker() -> ProcessPoolExecutor:
    # A pool of one: when its process dies, it is certain which job did it.
    # Spawned, not forked: a fork would copy the locks of native threads in whatever state they are.
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_start_worker)


def _submit(worker: ProcessPoolExecutor, job: Job) -> Future[Done]:
    with _interrupts_held():
        return worker.submit(_do, job)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """No Ctrl-C for processes started in here, at no moment of their lives; ours comes a little later."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _result(future: Future[Done], job: Job) -> tuple[Done, bool]:
    """The result, and whether the worker lives."""
    try:
        return future.result(), True
    except BrokenExecutor:
        return Done(job.id, error=f"{job.id}: the worker process died; what it had finished is kept"), False
    except Exception as error:  # noqa: BLE001 - the job or its value cannot be sent
        return Done(job.id, error=f"{job.id}: {type(error).__name__}: {error}"), True


def _end(workers: Sequence[ProcessPoolExecutor]) -> None:
    """Wait for the jobs that run; interrupted, end them."""
    try:
        for worker in workers:
            worker.shutdown(wait=True)
    except KeyboardInterrupt:
        _kill()
        raise


def _kill() -> None:
    for child in multiprocessing.active_children():
        child.kill()


def _do(job: Job) -> Done:
    try:
        return Done(job.id, job.run())
    except Exception as error:  # noqa: BLE001 - whatever a job raises is its result
        return Done(job.id, error=f"{job.id}: {type(error).__name__}: {error}")


def _start_worker() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_die_with, args=(parent,), daemon=True).start()


def _die_with(parent: Any) -> None:
    """A killed parent cannot end us, and a worker waiting for work would wait for ever."""
    parent.join()
    os._exit(1)
