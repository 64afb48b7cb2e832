"""`memkit build`: build a memory from one stream of a dataset."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click
from attrs import define, field

from memkit.archive import unit_digest
from memkit.build import build
from memkit.cli.console import count, progress, say, say_json
from memkit.cli.exits import DONE, INCOMPLETE
from memkit.cli.options import accept_unsandboxed_option
from memkit.compare.cases import hint
from memkit.compare.spec import EXTRACTIVE, Data
from memkit.errors import UserError
from memkit.memory import MANIFEST_NAME, Memory
from memkit.models import open_model
from memkit.plugins import build_registry
from memkit.records import Layout, Receipt, Stream, Unit
from memkit.registry import Registry


@click.command()
@click.argument("data", metavar="NAME[:PATH]")
@click.option("--builder", default="verbatim", show_default=True, help="How to build.")
@click.option("--harness", default="center", show_default=True, help="Tools of a builder that uses a model.")
@click.option("--model", default=EXTRACTIVE, show_default=True, help="Model of a builder that uses one.")
@click.option("--stream", help="Which stream, when the data hold several.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Directory to make or go on with.")
@accept_unsandboxed_option
@click.option("--json", "json_", is_flag=True, help="Print what was stored as JSON.")
def command(
    data: str,
    builder: str,
    harness: str,
    model: str,
    stream: str | None,
    output: Path,
    accept_unsandboxed: bool,
    json_: bool,
) -> int:
    """Build a memory from a stream of NAME (at PATH). Run again, it takes in what is new."""
    registry = build_registry(accept_unsandboxed=accept_unsandboxed)
    source = _stream(registry, Data.from_text(data), stream)
    chosen = {"model": open_model(registry, model), "harness": registry.make("harness", harness)}
    made = registry.make("builder", builder, **chosen)
    memory = _open(registry, output, builder, made.layout, source)
    report = _Report(memory)
    with progress() as show:

        def keep(unit: Unit, receipt: Receipt) -> None:
            report.add(unit, receipt)
            show("units", report.total, len(source.units))

        asyncio.run(build(memory, made, source.units, on_receipt=keep))
    say_json(report.data()) if json_ else report.say()
    return INCOMPLETE if report.units["partial"] or report.units["rejected"] else DONE


@define
class _Report:
    """What became of each unit."""

    memory: Memory
    units: dict[str, int] = field(factory=lambda: dict.fromkeys(("stored", "partial", "rejected", "known"), 0))
    reasons: list[str] = field(factory=list)

    @property
    def total(self) -> int:
        return sum(self.units.values())

    def add(self, unit: Unit, receipt: Receipt) -> None:
        known = receipt.status == "rejected" and self.memory.archive.digest_of(unit) == unit_digest(unit)
        self.units["known" if known else receipt.status] += 1
        if receipt.reason and not known:
            self.reasons.append(receipt.reason)

    def data(self) -> dict[str, Any]:
        files = len(self.memory.store.paths())
        path = str(self.memory.path)
        return {"schema": 1, "memory": path, "units": self.units, "reasons": self.reasons, "files": files}

    def say(self) -> None:
        for reason in self.reasons:
            say(reason)
        words = {"stored": "stored", "partial": "stored in part", "rejected": "rejected", "known": "already there"}
        units = ", ".join(f"{number} {words[status]}" for status, number in self.units.items() if number)
        files = count(len(self.memory.store.paths()), "file")
        say(f"{self.memory.path}: {count(self.total, 'unit')} ({units or 'none'}); {files}")


def _stream(registry: Registry, data: Data, wanted: str | None) -> Stream:
    dataset = registry.make("dataset", data.use, data.options)
    found: Stream | None = None
    names = []  # one stream is held at a time, however many the data have
    for case in dataset.load(Path(data.path) if data.path else None):
        stream: Stream = case.stream
        if stream.id == wanted:
            return stream
        names.append(stream.id)
        found = stream if found is None and wanted is None else found
    if found is None:
        what = f"no stream is called {wanted!r}; {hint(wanted, names)}" if wanted else "the data hold no stream"
        raise UserError(what)
    if len(names) > 1:
        raise UserError(f"there are {len(names)} streams; choose one with --stream: {', '.join(names)}")
    return found


def _open(registry: Registry, path: Path, builder: str, layout: Layout, source: Stream) -> Memory:
    if (path / MANIFEST_NAME).exists():
        memory = Memory.open(path)
        held = memory.manifest
        if (held.builder, held.stream) != (builder, source.id):
            raise UserError(
                f"{path} holds {held.stream!r} built by {held.builder}, not {source.id!r} by {builder};"
                " choose another directory"
            )
        return memory
    by = registry.part("builder", builder).source
    plugin = f"{by.distribution} {by.version}"
    return Memory.create(path, builder=builder, plugin=plugin, layout=layout, stream=source.id, task=source.task)
