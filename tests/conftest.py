"""Fixtures for every test, and how hard hypothesis looks: HYPOTHESIS_PROFILE = dev (the default), ci or long."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from memkit.store.files import Store

# Other work on the machine must fail no test: no deadline, and slow data is no error.
_QUIET = [HealthCheck.too_slow]
settings.register_profile("dev", max_examples=50, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("ci", max_examples=100, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("long", max_examples=5000, deadline=None, suppress_health_check=_QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


# A shell that starts the tests in the background makes them, and all they start, deaf to Ctrl-C, which some send.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of papers and data sets beside the checkout; tests that need it are skipped without it."""
    path = Path(__file__).resolve().parents[2] / "shared"
    if not path.is_dir():
        pytest.skip("the shared data folder beside the checkout is absent")
    return path


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store in a memory directory of its own."""
    return Store.make(tmp_path / "memory" / "memories")
