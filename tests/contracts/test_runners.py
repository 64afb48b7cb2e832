"""The runner `local` keeps the promises of a runner, in this process and in others."""

from __future__ import annotations

from memkit import Runner
from memkit.testing.suites import RunnerSuite
from memkit_plugins.local.runner import Local


class TestInProcess(RunnerSuite):
    def make(self) -> Runner:
        return Local(workers=0)


class TestProcesses(RunnerSuite):
    def make(self) -> Runner:
        return Local(workers=2)
