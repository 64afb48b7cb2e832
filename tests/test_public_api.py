"""The public API is what memkit/__init__.py names, and nothing else."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

import memkit


def typed_names() -> dict[str, str]:
    """What the TYPE_CHECKING block imports or renames: public name -> `module:name`."""
    tree = ast.parse(Path(memkit.__file__).read_bytes())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imported = {
        alias.asname or alias.name: f"{node.module.removeprefix('memkit.')}:{alias.name}"
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    renamed = {
        node.targets[0].id: imported.pop(node.value.id)
        for node in block.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Name)
    }
    return imported | renamed


def test_types_and_loader_agree() -> None:
    """A type checker sees the names that exist at run time, from the same modules."""
    homes = {name: ":".join(home) for name, home in memkit._HOMES.items()}

    assert homes == typed_names()


@pytest.mark.parametrize("name", memkit.__all__)
def test_name_loads(name: str) -> None:
    """Every public name exists where it is said to live."""
    assert hasattr(memkit, name)


@pytest.mark.parametrize("name", memkit.__all__)
def test_name_is_no_module(name: str) -> None:
    """No public name is a submodule's too: importing the submodule would replace it."""
    assert None is find_spec(f"memkit.{name}")


def test_unknown_name() -> None:
    """A name that does not exist fails as on any module."""
    with pytest.raises(AttributeError, match="module 'memkit' has no attribute 'nothing'"):
        memkit.nothing  # noqa: B018


def test_dir_lists_the_names() -> None:
    """`dir(memkit)` shows the public names before they are used."""
    assert set(memkit.__all__) <= set(dir(memkit))
