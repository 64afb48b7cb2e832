"""Which model a name stands for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memkit.errors import ConfigError, PluginError
from memkit.models import open_model
from memkit.plugins import build_registry
from memkit.registry import Registry


def test_a_registered_name_is_made() -> None:
    """A model that a plugin registered is that plugin's."""
    assert "memkit/extractive" == open_model(build_registry(), "memkit/extractive").name


def test_any_other_provider_and_model_goes_to_litellm() -> None:
    """A name that is not registered keeps its name and takes the options; nothing is asked of the provider."""
    model = open_model(build_registry(), "openai/org/gpt-x:free", {"temperature": 0.5, "timeout": 9})

    assert ("openai/org/gpt-x:free", 0.5, 9.0) == (model.name, model.temperature, model.timeout)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("memkit/extractve", "no model is called 'memkit/extractve'; did you mean 'memkit/extractive'?"),
        ("extractive", "no model is called 'extractive'; did you mean 'memkit/extractive'?"),
        ("openai/", "no model is called 'openai/'; there are: memkit/extractive, and any provider/model"),
        ("/gpt", "no model is called '/gpt'; there are: memkit/extractive, and any provider/model"),
        ("", "no model is called ''; there are: memkit/extractive, and any provider/model"),
        ("litellm", "'litellm' reaches any provider; name the model itself, such as openai/NAME"),
    ],
)
def test_other_names_are_refused(name: str, message: str) -> None:
    """A name that is no provider's is an error with the near ones; ours never leave this machine."""
    with pytest.raises(PluginError) as caught:
        open_model(build_registry(only=("extractive", "litellm")), name)

    assert message == str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temprature": 1.0}, "unknown key 'temprature'; did you mean 'temperature'?"),
        ({"reasoning_effort": "lots"}, "reasoning_effort: must be one of 'none', 'minimal', 'low', 'medium', 'high'"),
        ({"timeout": 0}, "'timeout' must be > 0: 0"),
        ({"retries": -1}, "'retries' must be >= 0: -1"),
        ({"model": "openai/other"}, "unknown key 'model'"),
    ],
)
def test_options_are_checked(options: dict[str, object], message: str) -> None:
    """A wrong option is said with its place, or with the model's name."""
    for where, shown in (("", "options of model 'openai/gpt-x'"), ("spec.yaml: models", "spec.yaml: models")):
        with pytest.raises(ConfigError) as caught:
            open_model(build_registry(), "openai/gpt-x", options, where=where)
        assert str(caught.value).startswith(f"{shown}: {message}")


def test_without_the_plugin_names_are_unknown() -> None:
    """Where the plugin is not loaded a provider's model is an unknown name."""
    with pytest.raises(PluginError, match="no model is called 'openai/gpt-x'"):
        open_model(Registry(), "openai/gpt-x")


def test_litellm_is_not_loaded_yet(tmp_path: Path) -> None:
    """Naming a model costs nothing: litellm takes seconds to load, and is loaded by the first call."""
    code = (
        "import sys; from memkit import build_registry, open_model; open_model(build_registry(), 'openai/gpt-x');"
        "print('litellm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert (0, "False\n", "") == (done.returncode, done.stdout, done.stderr)
