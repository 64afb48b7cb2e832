"""What a prompt says of the tools that were granted: the only sentences that differ from harness to harness."""

from __future__ import annotations

from collections.abc import Sequence

from memkit.contracts import Tool
from memkit.prompts import compose
from memkit.records import Role

_SEARCH = {
    "bash": "harnesses/shell",
    "bm25_chunk_retrieve": "harnesses/chunks",
    "bm25_search": "harnesses/center+bm25",
}
_MANAGE = {"bash": "harnesses/shell-manage", "bm25_search": "harnesses/center+bm25-manage"}


def tool_guide(role: Role, tools: Sequence[Tool]) -> str:
    """The section of a prompt that says how to use `tools`: that of the first telling tool, else that of Center."""
    guides, plain = (_MANAGE, "harnesses/center-manage") if role == "manage" else (_SEARCH, "harnesses/center")
    granted = {tool.spec.name for tool in tools}
    return compose(next((guide for name, guide in guides.items() if name in granted), plain)).text
