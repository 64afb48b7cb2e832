"""The models that need no network keep the promises of a model."""

from __future__ import annotations

from memkit import Model
from memkit.testing.scripted import ScriptedModel
from memkit.testing.suites import ModelSuite
from memkit_plugins.extractive.model import Extractive


class TestExtractive(ModelSuite):
    def make(self) -> Model:
        return Extractive()


class TestScripted(ModelSuite):
    def make(self) -> Model:
        return ScriptedModel(["In Porto."])
