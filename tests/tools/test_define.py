"""Tools from typed functions."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from memkit.contracts import Tool
from memkit.errors import PromptError
from memkit.prompts import tool_texts
from memkit.store.files import Store
from memkit.tools.define import define_tool
from memkit.tools.read import read_tools
from memkit.tools.write import write_tools

PROMPTS = Path(__file__).parents[2] / "prompts" / "tools"


def _grep(pattern: str, path: str = "/memories", max_results: int = 50, ignore_case: bool = False) -> str:  # noqa: FBT001, FBT002
    return f"{pattern} {path} {max_results} {ignore_case}"


async def _view(path: str, view_range: list[int] | None = None) -> str:
    await asyncio.sleep(0)
    return f"{path} {view_range}"


def test_schema() -> None:
    """The schema has each parameter's type, default and description, what is required, and nothing else goes."""
    description, texts = tool_texts("grep")
    spec = define_tool("grep", _grep).spec

    assert ("grep", description) == (spec.name, spec.description)
    assert {
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "description": texts["pattern"]},
            "path": {"type": "string", "description": texts["path"], "default": "/memories"},
            "max_results": {"type": "integer", "description": texts["max_results"], "default": 50},
            "ignore_case": {"type": "boolean", "description": texts["ignore_case"], "default": False},
        },
        "required": ["pattern"],
        "additionalProperties": False,
    } == spec.parameters


def test_optional_list() -> None:
    """An optional list is a list in the schema, and not required."""
    parameters = define_tool("view", _view).spec.parameters

    assert ["path"] == parameters["required"]
    assert {"type": "array", "items": {"type": "integer"}} == {
        key: value for key, value in parameters["properties"]["view_range"].items() if key != "description"
    }


def test_sync_and_async() -> None:
    """A tool gives what its function returns, which may be asynchronous."""
    grep, view = define_tool("grep", _grep), define_tool("view", _view)

    assert "x /memories 3 False" == asyncio.run(grep({"pattern": "x", "max_results": 3}))
    assert "/memories None" == asyncio.run(view({"path": "/memories"}))
    assert isinstance(grep, Tool)


def test_prompt_must_fit() -> None:
    """A parameter without a description, or a description without a parameter, is an error that names it."""
    with pytest.raises(PromptError, match=r"without a description \['depth'\]"):
        define_tool("delete", path_and_depth)
    with pytest.raises(PromptError, match=r"descriptions without one \['view_range'\]"):
        define_tool("view", only_path)


def path_and_depth(path: str, depth: int = 1) -> str:
    """Take one parameter more than the prompt of delete describes."""
    return path * depth


def only_path(path: str) -> str:
    """Take one parameter fewer than the prompt of view describes."""
    return path


def number(path: float) -> str:
    """Take a type that no schema is made for."""
    return str(path)


def test_unknown_type() -> None:
    """A type that tools do not take is a TypeError when the tool is defined, not when it is called."""
    with pytest.raises(TypeError, match="a tool parameter cannot be <class 'float'>"):
        define_tool("delete", number)


def test_every_prompt_has_a_tool(store: Store) -> None:
    """Each file of prompts/tools that the store's tools use fits, and their orders are those promised."""
    reading, writing = read_tools(store), write_tools(store)

    assert ["view", "grep", "toc", "section_read"] == [tool.spec.name for tool in reading]
    assert ["view", "create", "str_replace", "insert", "delete", "rename", "grep"] == [
        tool.spec.name for tool in writing
    ]
    assert {tool.spec.name for tool in (*reading, *writing)} <= {file.stem for file in PROMPTS.glob("*.md")}
    assert all(tool.spec.description for tool in (*reading, *writing))


def test_writes_are_marked(store: Store) -> None:
    """Exactly the five commands that change the store are marked as writing."""
    marked = [tool.spec.name for tool in write_tools(store) if getattr(tool, "writes", False)]

    assert ["create", "str_replace", "insert", "delete", "rename"] == marked
