"""What is asked of the library, by options and request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from memkit import ConfigError, Message, Model, Request, ToolSpec, build_registry, open_model
from memkit_plugins.local_model.model import LocalModel
from memkit_plugins.local_model.schema import reply_schema

ASK = Request((Message("user", "Where?"),), "search")
VIEW = ToolSpec("view", "Read.", {"type": "object", "properties": {}})
pytestmark = pytest.mark.usefixtures("file", "installed")


@pytest.mark.parametrize(
    ("options", "request_", "sampling"),
    [
        ({}, {}, {"cache_prompt": True}),
        ({"temperature": 0.7}, {}, {"cache_prompt": True, "temperature": 0.7}),
        ({"deterministic": True}, {}, {"cache_prompt": False, "temperature": 0.0, "seed": 0}),
        ({"temperature": 0.0}, {}, {"cache_prompt": False, "temperature": 0.0, "seed": 0}),
        ({"seed": 7}, {}, {"cache_prompt": False, "seed": 7}),
        ({}, {"temperature": 0.0}, {"cache_prompt": False, "temperature": 0.0, "seed": 0}),
        ({}, {"seed": 7}, {"cache_prompt": False, "seed": 7}),
        (
            {"deterministic": True, "temperature": 0.7, "seed": 1},
            {"seed": 2},
            {"cache_prompt": False, "temperature": 0.7, "seed": 2},
        ),
        ({"temperature": 0.0}, {"temperature": 0.7}, {"cache_prompt": True, "temperature": 0.7}),
    ],
)
def test_repeatable_means_no_cache(options: dict[str, Any], request_: dict[str, Any], sampling: dict[str, Any]) -> None:
    """The prompt cache is off exactly where the same request must give the same reply."""
    body = LocalModel(**options).body(evolve(ASK, **request_))

    assert {**sampling, "messages": [{"role": "user", "content": "Where?"}], "max_tokens": 2_048} == body


def test_the_form_is_asked_for_with_tools_only() -> None:
    """The schema of the tools constrains the reply."""
    model = LocalModel()
    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": reply_schema([VIEW])}}

    assert "response_format" not in model.body(ASK)
    assert form == model.body(evolve(ASK, tools=(VIEW,)))["response_format"]


def test_the_lower_cap_holds() -> None:
    """A role's cap or the model's own, whichever is less."""
    assert 5 == LocalModel(reply_tokens=5).body(ASK)["max_tokens"]
    assert 5 == LocalModel().body(evolve(ASK, max_output_tokens=5))["max_tokens"]


def test_it_is_opened_by_name(file: Path) -> None:
    """The registered name, its options, and the file it will load."""
    model = open_model(build_registry(only=["local-model"]), "memkit/local", {"deterministic": True, "seed": 3})

    assert isinstance(model, Model)
    assert isinstance(model, LocalModel)
    assert ("memkit/local", True, 3, file) == (model.name, model.deterministic, model.seed, model.weights)


@pytest.mark.parametrize("options", [{"temperature": -1}, {"seed": -1}, {"context_tokens": 1}, {"weights": "x"}])
def test_options_that_do_not_fit(options: dict[str, Any]) -> None:
    """A value out of range, or an option there is not, is an error of the spec."""
    with pytest.raises(ConfigError):
        open_model(build_registry(only=["local-model"]), "memkit/local", options)
