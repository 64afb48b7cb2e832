from __future__ import annotations

import pytest

from memkit.prompts import compose
from memkit.records import Role, ToolSpec
from memkit.store.files import Store
from memkit.tools.guide import tool_guide
from memkit.tools.read import read_tools
from memkit.tools.write import write_tools

CASES: tuple[tuple[Role, tuple[str, ...], str], ...] = (
    ("search", ("view", "grep", "toc", "section_read"), "harnesses/center"),
    ("search", ("view", "grep", "bm25_search"), "harnesses/center+bm25"),
    ("search", ("bash",), "harnesses/shell"),
    ("search", ("bm25_chunk_retrieve",), "harnesses/chunks"),
    ("search", ("look",), "harnesses/center"),
    ("manage", ("view", "create", "grep"), "harnesses/center-manage"),
    ("manage", ("view", "create", "bm25_search"), "harnesses/center+bm25-manage"),
    ("manage", ("bash",), "harnesses/shell-manage"),
)


class Named:
    """A tool of which only the name matters."""

    def __init__(self, name: str) -> None:
        self.spec = ToolSpec(name, "", {})

    async def __call__(self, arguments: object) -> str:
        return str(arguments)


@pytest.mark.parametrize(("role", "names", "prompt"), CASES)
def test_the_tools_choose_the_guide(role: Role, names: tuple[str, ...], prompt: str) -> None:
    """A prompt speaks of the tools that were granted; of unknown ones as of Center's."""
    assert compose(prompt).text == tool_guide(role, [Named(name) for name in names])


def test_guides_name_the_tools_there_are(store: Store) -> None:
    """Every tool of Center is named in the guide of its role."""
    reading, writing = read_tools(store), write_tools(store)

    assert all(f"`{tool.spec.name}`" in tool_guide("search", reading) for tool in reading)
    assert all(f"`{tool.spec.name}`" in tool_guide("manage", writing) for tool in writing)
