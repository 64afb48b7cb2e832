"""What every harness promises."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from memkit.contracts import Harness, Tool
from memkit.errors import StoreError, ToolError
from memkit.memory import Memory
from memkit.records import STORELESS, Layout, Role
from memkit.testing.samples import LAYOUTS, contents, sample_memory
from memkit.testing.strategies import arguments

ROLES: tuple[Role, ...] = get_args(Role)
NAME = re.compile(r"[a-z0-9_]{1,64}")
"""What every provider takes for the name of a tool."""


class HarnessSuite:
    """Subclass and fill in `make`."""

    def make(self) -> Harness:
        """A new harness."""
        raise NotImplementedError

    def test_fits_its_contract(self) -> None:
        """It has the methods of a harness."""
        assert isinstance(self.make(), Harness)

    def test_misfit_answers_for_every_role_and_layout(self) -> None:
        """It serves something, and says in one line why it does not serve the rest."""
        answers = [self.make().misfit(role, layout) for role in ROLES for layout in LAYOUTS]

        assert None in answers
        for reason in filter(lambda answer: answer is not None, answers):
            assert isinstance(reason, str)
            assert [reason.strip()] == reason.splitlines()

    def test_tools_are_well_described(self, tmp_path: Path) -> None:
        """Names are unique and plain, every tool and parameter has words, parameters are a valid JSON Schema object."""
        for fit, memory in self._memories(tmp_path):
            specs = [tool.spec for tool in self.make().tools(fit[0], memory)]

            assert specs
            assert len(specs) == len({spec.name for spec in specs})
            for spec in specs:
                assert NAME.fullmatch(spec.name), spec.name
                assert spec.description.strip(), spec.name
                assert "object" == spec.parameters["type"]
                Draft202012Validator.check_schema(dict(spec.parameters))
                for name, schema in spec.parameters.get("properties", {}).items():
                    assert schema.get("description", "").strip(), f"{spec.name}: {name}"

    def test_without_a_store_there_are_no_tools(self, tmp_path: Path) -> None:
        """A search that fits a memory without a store is given nothing to call."""
        memory = sample_memory(tmp_path / "none", "none")
        for role in ROLES:
            assert self.make().misfit(role, "none") or [] == list(self.make().tools(role, memory))

    def test_tools_keep_their_order(self, tmp_path: Path) -> None:
        """The same tools come in the same order, so that a provider's cache of the prompt holds."""
        for (role, _), memory in self._memories(tmp_path):
            first, second = ([tool.spec for tool in self.make().tools(role, memory)] for _ in range(2))

            assert first == second

    def test_tools_raise_only_what_a_model_can_read(self, tmp_path: Path) -> None:
        """Any arguments that fit the schema give text, ToolError or StoreError."""
        for (role, _), memory in self._memories(tmp_path):
            self._try_tools(role, memory, readonly=False)

    def test_searching_changes_nothing(self, tmp_path: Path) -> None:
        """No tool of a role that only reads alters the store."""
        for (role, _), memory in self._memories(tmp_path):
            if role != "manage":
                self._try_tools(role, memory, readonly=True)

    def _memories(self, path: Path) -> Iterator[tuple[tuple[Role, Layout], Memory]]:
        """A memory for each role and layout that the harness serves with tools."""
        for role in ROLES:
            for layout in LAYOUTS:
                if layout not in STORELESS and self.make().misfit(role, layout) is None:
                    yield (role, layout), sample_memory(path / f"{role}-{layout}", layout)

    def _try_tools(self, role: Role, memory: Memory, *, readonly: bool) -> None:
        tools = self.make().tools(role, memory)
        before = contents(memory.store)
        calls = st.one_of([_calls(tool, tuple(before)) for tool in tools])

        @given(calls)
        def check(call: tuple[Tool, Mapping[str, Any]]) -> None:
            tool, given_arguments = call
            try:
                result = asyncio.run(_run(tool, given_arguments))
            except (ToolError, StoreError) as error:
                result = str(error)
            assert isinstance(result, str)
            assert result
            assert not readonly or before == contents(memory.store)

        check()


def _calls(tool: Tool, paths: tuple[str, ...]) -> st.SearchStrategy[tuple[Tool, dict[str, Any]]]:
    return st.tuples(st.just(tool), arguments(tool.spec.parameters, paths=paths))


async def _run(tool: Tool, given_arguments: Mapping[str, Any]) -> str:
    return await tool(given_arguments)
