"""The models of a comparison: every call recorded in the run directory, so that none is paid for twice."""

from __future__ import annotations

import atexit
from functools import cache
from pathlib import Path

from attrs import frozen

from memkit.calls.recorded import RecordedModel
from memkit.calls.store import CallStore
from memkit.compare.keys import part_identity
from memkit.compare.spec import Use
from memkit.models import open_model
from memkit.registry import RESERVED, Registry


@frozen
class Calling:
    """Where the calls of a run are recorded, and what a run may do.

    `offline` replays what is on record; `accept_unsandboxed` lets a model's commands run without a sandbox.
    """

    run_dir: Path
    offline: bool = False
    accept_unsandboxed: bool = False


def recorded_model(registry: Registry, use: Use, calling: Calling, *, attempt: int = 0) -> RecordedModel:
    """The model a `Use` names, with its calls recorded. `attempt` tells repeated answers apart."""
    model = open_model(registry, use.use, use.options, where=f"model {use.shown}")
    # Of a registered model the code is what replies; of a provider's, its name and options are all there is.
    known = use.use in registry.names("model")
    options = part_identity(registry, "model", use) if known else use.options
    # Ours are deterministic and cost nothing: to record them would only fill the disk.
    store = None if use.use.startswith(RESERVED) else _calls(calling.run_dir)
    return RecordedModel(model, store, calling.offline, attempt, options)


@cache
def _calls(run_dir: Path) -> CallStore:
    store = CallStore(run_dir / "calls.db")
    atexit.register(store.close)
    return store
