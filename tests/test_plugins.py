"""Plugins are found by entry point; one that fails is an error with its name, never a gap."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from textwrap import dedent

import pytest

from memkit import PluginError, build_registry
from memkit.registry import Source

Install = Callable[..., None]
GOOD = """
    from memkit import hookimpl

    @hookimpl
    def memkit_register(registry):
        registry.builder({name!r}, dict)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a distribution `dist` with one plugin `name` of that source into a folder on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def install(name: str, source: str, *, dist: str = "stranger", value: str = "") -> None:
        (tmp_path / f"plugin_{name}.py").write_text(dedent(source).format(name=name))
        info = tmp_path / f"{dist}-1.2.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {dist}\nVersion: 1.2\n")
        points = info / "entry_points.txt"
        listed = points.read_text() if points.exists() else "[memkit]\n"
        points.write_text(f"{listed}{name} = {value or f'plugin_{name}'}\n")

    yield install
    for module in set(sys.modules) - before:
        if module.startswith("plugin_"):
            del sys.modules[module]


def test_ours_come_by_entry_point() -> None:
    """Every plugin that our distribution declares loads and registers a part."""
    ours = {point.name for point in entry_points(group="memkit") if point.dist and point.dist.name == "agent-memkit"}

    registry = build_registry(only=ours)

    assert ours != set()
    assert {"agent-memkit"} == {part.source.distribution for part in registry}


def test_stranger(install: Install) -> None:
    """A stranger's part stands beside ours, with the distribution it came from."""
    install("mine", GOOD)

    assert Source("stranger", "1.2") == build_registry().part("builder", "mine").source


def test_sources_are_told_apart(install: Install) -> None:
    """Each part carries its own distribution."""
    install("a", GOOD, dist="one")
    install("b", GOOD, dist="two")

    parts = list(build_registry(only={"a", "b"}))

    assert [("a", "one"), ("b", "two")] == [(part.name, part.source.distribution) for part in parts]


def test_only(install: Install) -> None:
    """`only` loads those entry points and imports no other."""
    install("a", GOOD)
    install("b", "raise RuntimeError")

    assert ["a"] == [part.name for part in build_registry(only=["a"])]
    assert 0 == len(build_registry(only=[]))


def test_environment(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    """MEMKIT_PLUGINS narrows what is loaded, unless the caller says it."""
    install("a", GOOD)
    install("b", GOOD)
    monkeypatch.setenv("MEMKIT_PLUGINS", " a , ")

    assert ["a"] == [part.name for part in build_registry()]
    assert ["b"] == [part.name for part in build_registry(only=["b"])]


def test_unknown_name() -> None:
    """A name that no installed plugin has is an error."""
    with pytest.raises(PluginError, match="no installed plugin is called nothing, nowhere;"):
        build_registry(only=["nowhere", "nothing"])


def test_nothing_is_remembered(install: Install) -> None:
    """Two calls give two registries."""
    install("a", GOOD)

    assert build_registry(only=["a"]) is not build_registry(only=["a"])


FAULTS = {
    "import": ("import no_such_module", "does not load: ModuleNotFoundError: No module named 'no_such_module'"),
    "syntax": ("def", "does not load: SyntaxError: "),
    "no hook": ("def memkit_register(registry): pass", "implements no memkit hook; mark its functions"),
    "misspelt hook": (
        "from memkit import hookimpl\n@hookimpl\ndef memkit_registre(registry): pass",
        "does not load: PluginValidationError: unknown hook 'memkit_registre'",
    ),
    "misspelt argument": (
        "from memkit import hookimpl\n@hookimpl\ndef memkit_register(register): pass",
        "does not load: PluginValidationError: ",
    ),
    "bug": (
        "from memkit import hookimpl\n@hookimpl\ndef memkit_register(registry): registry.bulider",
        "fails to register: AttributeError: 'Registry' object has no attribute 'bulider'",
    ),
}


@pytest.mark.parametrize(("source", "message"), FAULTS.values(), ids=FAULTS)
def test_broken_plugin(install: Install, source: str, message: str) -> None:
    """The error names the entry point, its distribution and the cause."""
    install("bad", source)

    with pytest.raises(PluginError) as error:
        build_registry(only=["bad"])
    assert str(error.value).startswith(f"plugin 'bad' (plugin_bad) of stranger 1.2 {message}")


def test_missing_attribute(install: Install) -> None:
    """An entry point that names what its module lacks is an error too."""
    install("bad", GOOD, value="plugin_bad:Plugin")

    with pytest.raises(PluginError, match=r"plugin 'bad' \(plugin_bad:Plugin\) of stranger 1.2 does not load"):
        build_registry(only=["bad"])


def test_taken_name(install: Install) -> None:
    """Two distributions that register one name are both named."""
    install("verbatim", GOOD)

    with pytest.raises(PluginError, match="'verbatim' is registered twice: by agent-memkit and by stranger"):
        build_registry(only=["verbatim"])
