"""A way to call the tools of a store as a model does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest

from memkit.records import Message, ToolCall
from memkit.store.files import Store
from memkit.tools.dispatch import call_tool
from memkit.tools.read import read_tools
from memkit.tools.write import write_tools

Call = Callable[..., Message]


@pytest.fixture
def call(store: Store) -> Call:
    """A function that calls a tool of the store by name, with its arguments as keywords."""
    tools = {tool.spec.name: tool for tool in (*write_tools(store), *read_tools(store))}

    def run(name: str, **arguments: object) -> Message:
        return asyncio.run(call_tool(tools, ToolCall("c1", name, json.dumps(arguments))))

    return run
