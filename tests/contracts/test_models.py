"""Every model keeps the promises of a model; a provider's is played by a server on this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memkit import Model
from memkit.testing.scripted import ScriptedModel
from memkit.testing.server import Asked, LoopbackServer, Says
from memkit.testing.suites import ModelSuite
from memkit_plugins.extractive.model import Extractive
from memkit_plugins.litellm_model.model import ProviderModel


class TestExtractive(ModelSuite):
    def make(self) -> Model:
        return Extractive()


class TestScripted(ModelSuite):
    def make(self) -> Model:
        return ScriptedModel(["In Porto."])


def answer(asked: Asked) -> Says:
    """A call of the first tool, or an answer when there is none or one was called."""
    tools = asked.body.get("tools", ())
    if not tools or "view" not in str(tools) or "call_1" in str(asked.body["messages"]):
        return Says("In Porto.")
    return Says(calls=[("view", {"path": "/memories"}), ("view", {"path": "/memories/a.md"})])


@pytest.fixture(scope="module")
def provider() -> Iterator[LoopbackServer]:
    """A server for all tests of a module."""
    with LoopbackServer(answer) as server:
        yield server


class TestOpenAIProtocol(ModelSuite):
    # A provider's calls have ids that nothing else has.
    deterministic = False

    @pytest.fixture(autouse=True)
    def _serve(self, provider: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "loopback-openai-key-1")
        self.base = provider.openai

    def make(self) -> Model:
        return ProviderModel("openai/loopback", api_base=self.base, retries=0)


class TestAnthropicProtocol(ModelSuite):
    deterministic = False

    @pytest.fixture(autouse=True)
    def _serve(self, provider: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "loopback-anthropic-key-1")
        self.base = provider.url

    def make(self) -> Model:
        return ProviderModel("anthropic/loopback", api_base=self.base, retries=0)
