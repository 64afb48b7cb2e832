"""The one loaded model of this process, and the one thread in which it is loaded and asked."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from attrs import field, frozen, mutable

from memkit import PermanentModelError
from memkit_plugins.local_model.wire import Said, read_failure

CACHE_MIB = 1024
"""Main memory for the prompts of conversations that take turns; the library's own bound is eight times as much."""

BATCH_TOKENS = 512
"""Of the prompt at once: as many as the library computes together, and after each lot a call can be stopped."""
STREAMED = {"stream": True, "stream_options": {"include_usage": True}, "return_progress": True}


@frozen
class Loading:
    """What is loaded: a file, with a window of so many tokens (fewer where the model was trained on fewer)."""

    path: Path
    context_tokens: int


def load(loading: Loading) -> Any:
    """The library's server with the model in it; takes seconds. Raises PermanentModelError where it cannot be."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(loading.path)
    parameters.n_ctx = loading.context_tokens
    parameters.n_parallel = 1
    parameters.n_batch = parameters.n_ubatch = BATCH_TOKENS
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads()
    parameters.cache_ram_mib = CACHE_MIB
    parameters.verbosity = -1
    # It always listens on a port of this machine as well: nobody knows the key, and no page shows a prompt.
    parameters.api_keys = [secrets.token_urlsafe(32)]
    parameters.endpoint_slots = parameters.ui = False
    parameters.n_threads_http = 1
    try:
        return xllamacpp.Server(parameters)
    except RuntimeError:
        raise PermanentModelError(
            f"{loading.path} cannot be loaded: it is damaged, too large for this machine, or newer than the installed"
            " xllamacpp; try another file, or update the package"
        ) from None


def threads() -> int:
    """The processor cores this process may use, less one for everything else."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(cores - 1, 1)


@mutable(eq=False)
class Engine:
    """Holds one loaded model at a time: asked for another, it lets go of the first. Calls are made one by one."""

    load: Callable[[Loading], Any] = load
    _loaded: tuple[Loading, Any] | None = field(default=None, init=False)
    # A pool of one thread: nothing that it does needs a lock.
    _thread: ThreadPoolExecutor = field(factory=lambda: ThreadPoolExecutor(1, "memkit-local"), init=False)

    async def ask(self, loading: Loading, body: Mapping[str, Any], who: str) -> Said:
        """What the model says to a chat request, when it is its turn. Raises ModelError, with `who` in front.

        Cancelled, it stops at the next token, or at the next lot of the prompt.
        """
        stop = threading.Event()
        try:
            return await asyncio.wrap_future(self._thread.submit(self._ask, loading, body, who, stop))
        finally:
            stop.set()

    def _ask(self, loading: Loading, body: Mapping[str, Any], who: str, stop: threading.Event) -> Said:
        server = self._server(loading)
        chunks: list[Any] = []

        def take(chunk: Any) -> bool:
            chunks.append(chunk)
            return stop.is_set()

        try:
            server.handle_chat_completions({**body, **STREAMED}, take)
        except (RuntimeError, ValueError) as error:
            raise read_failure(error, who) from None
        return _join(chunks, who)

    def _server(self, loading: Loading) -> Any:
        if self._loaded is None or self._loaded[0] != loading:
            self._loaded = None  # first, so that two models are never in memory
            self._loaded = loading, self.load(loading)
        return self._loaded[1]


def _join(chunks: list[Any], who: str) -> Said:
    """One reply of the pieces in which it came."""
    text, finish, thought = "", "", False
    usage: Mapping[str, Any] = {}
    for chunk in chunks:
        if "error" in chunk:
            raise read_failure(chunk["error"], who)
        usage = chunk.get("usage") or usage
        for choice in chunk.get("choices", ()):
            text += choice["delta"].get("content") or ""
            thought = thought or bool(choice["delta"].get("reasoning_content"))
            finish = choice["finish_reason"] or finish
    if not finish:
        raise PermanentModelError(f"{who}: the library ended the reply without saying why")
    return Said(text, finish, usage, thought)


_ENGINES: dict[int, Engine] = {}
"""By process, since a thread does not survive a fork."""
_LOCK = threading.Lock()


def engine() -> Engine:
    """That of this process."""
    with _LOCK:
        return _ENGINES.setdefault(os.getpid(), Engine())
