"""Every dataset of ours keeps the promises of a dataset; those whose data does not ship where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from memkit import Dataset
from memkit.testing.suites import DatasetSuite
from memkit_plugins.alfworld_log.alfworld_log import AlfworldLog
from memkit_plugins.ama_bench.ama_bench import AmaBench
from memkit_plugins.git_history.git_history import GitHistory
from memkit_plugins.jsonl.demo import Demo
from memkit_plugins.jsonl.jsonl import Jsonl
from memkit_plugins.locomo.locomo import LoCoMo
from memkit_plugins.locomo.realtalk import RealTalk
from memkit_plugins.longmemeval.longmemeval import LongMemEval
from memkit_plugins.personamem.personamem import PersonaMem
from memkit_plugins.trajectories.mini_swe_agent import MiniSweAgent
from memkit_plugins.trajectories.openhands import OpenHands
from memkit_plugins.trajectories.swe_agent import SweAgent

LINES = """
{"type": "stream", "id": "chat"}
{"type": "turn", "session": 1, "time": "2024-05-08T09:12+02:00", "speaker": "Ana", "text": "The kite is red."}
{"type": "turn", "session": 2, "speaker": "Bo", "text": "It is blue now.", "caption": "a blue kite"}
{"type": "question", "question": "Which colour is the kite?", "answer": "blue", "evidence": ["S2T1"]}
{"type": "question", "question": "And before?", "answer": "red", "options": ["red", "blue"], "evidence": ["S1T1"]}
{"type": "stream", "id": "run", "kind": "trajectory", "task": "Fly it.", "success": true}
{"type": "step", "action": "take kite", "observation": "You hold the kite."}
{"type": "question", "question": "What is held?", "answer": "the kite", "evidence": ["step 1"]}
"""


class TestDemo(DatasetSuite):
    def make(self) -> Dataset:
        return Demo()


class TestJsonl(DatasetSuite):
    @pytest.fixture(autouse=True)
    def _write(self, tmp_path: Path) -> None:
        self.path = tmp_path / "mine.jsonl"
        self.path.write_text(LINES)

    def make(self) -> Dataset:
        return Jsonl()

    def source(self) -> Path:
        return self.path


class TestLoCoMo(DatasetSuite):
    @pytest.fixture(autouse=True)
    def _find(self, shared: Path) -> None:
        self.path = shared / "data" / "locomo"

    def make(self) -> Dataset:
        return LoCoMo()

    def source(self) -> Path:
        return self.path


class TestRealTalk(TestLoCoMo):
    @pytest.fixture(autouse=True)
    def _find(self, shared: Path) -> None:
        self.path = shared / "data" / "realtalk"

    def make(self) -> Dataset:
        return RealTalk()


class TestLongMemEval(TestLoCoMo):
    most = 30

    @pytest.fixture(autouse=True)
    def _find(self, shared: Path) -> None:
        self.path = shared / "data" / "longmemeval"

    def make(self) -> Dataset:
        return LongMemEval()


class TestPersonaMem(TestLoCoMo):
    @pytest.fixture(autouse=True)
    def _find(self, shared: Path) -> None:
        self.path = shared / "data" / "personamem"

    def make(self) -> Dataset:
        return PersonaMem(checkpoint="all")


class TestAmaBench(TestLoCoMo):
    @pytest.fixture(autouse=True)
    def _find(self, shared: Path) -> None:
        self.path = shared / "data" / "ama-bench" / "episodes.tar.xz"

    def make(self) -> Dataset:
        return AmaBench()


class TestSweAgent(TestLoCoMo):
    @pytest.fixture(autouse=True)
    def _find(self, shared: Path) -> None:
        self.path = shared / "data" / "trajectories" / "software"

    def make(self) -> Dataset:
        return SweAgent()


class TestOpenHands(TestSweAgent):
    def make(self) -> Dataset:
        return OpenHands()


class TestMiniSweAgent(TestSweAgent):
    def make(self) -> Dataset:
        return MiniSweAgent()


class TestAlfworldLog(TestLoCoMo):
    @pytest.fixture(autouse=True)
    def _find(self, shared: Path) -> None:
        self.path = shared / "data" / "trajectories" / "embodied"

    def make(self) -> Dataset:
        return AlfworldLog()


class TestGitHistory(TestLoCoMo):
    @pytest.fixture(autouse=True)
    def _find(self, shared: Path) -> None:
        self.path = shared / "data" / "git" / "colorama.bundle"

    def make(self) -> Dataset:
        return GitHistory()
