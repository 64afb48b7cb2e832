"""`memkit measure`: the shape of a store, and how far it keeps the taxonomy contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from attrs import asdict

from memkit.cli.console import say, say_json, say_table
from memkit.cli.folders import open_folder
from memkit.metrics.adherence import Adherence, measure_adherence
from memkit.metrics.shape import Shape, measure_shape
from memkit.metrics.tree import build_tree
from memkit.store.texts import MARKDOWN, read_texts


@click.command()
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "json_", is_flag=True, help="Print as JSON.")
def command(directory: Path, json_: bool) -> int:
    """Measure the markdown files of the memory, or of the bare folder, DIR: their shape and their order."""
    files, unreadable = read_texts(open_folder(directory).store, MARKDOWN)
    tree = build_tree(files)
    shape, adherence = measure_shape(files, tree), measure_adherence(files, tree)
    if json_:
        say_json({"schema": 1, "shape": asdict(shape), "adherence": asdict(adherence), "unreadable": unreadable})
        return 0
    say_table(f"{directory}: shape", ["measure", "value"], list(_shape(shape)))
    columns = ["measure", "what it is", "value"]
    say_table(
        "How far it keeps the taxonomy contract; descriptors, not scores", columns, list(_order(adherence)), left=2
    )
    if worst := adherence.worst:
        say(f"hardest to tell apart ({worst.distance:.3f}):\n  {worst.one}\n  {worst.other}")
    for path, reason in unreadable.items():
        say(f"left out: {path}: {reason}")
    return 0


def _shape(shape: Shape) -> Iterator[list[str]]:
    yield ["files", f"{shape.files:,}"]
    yield ["folders", f"{shape.folders:,}"]
    yield ["sections", f"{shape.sections:,}"]
    yield ["kB", f"{shape.bytes / 1000:,.1f}"]
    yield ["cross-references", f"{shape.references:,}"]
    yield ["of these dangling", f"{shape.dangling:,}"]
    yield ["leaves", f"{shape.leaves:,}"]
    yield ["mean leaf depth", _number(shape.mean_depth, 2)]
    yield ["maximum depth", str(shape.max_depth)]
    yield ["mean fanout", _number(shape.fanout, 2)]
    yield ["size concentration (Gini)", _number(shape.size_gini, 3)]


def _order(found: Adherence) -> Iterator[list[str]]:
    yield ["content units", "leaves long enough to compare", f"{found.units:,}"]
    yield ["B1 distinguishability", "siblings' labels differ, 0 to 1", _number(found.distinguishability, 3)]
    yield ["B2 cohesion", "siblings' contents are this many times as alike as others'", _number(found.cohesion, 3)]
    yield ["B3 leakage", "share of units nearer to another group than to their own", _number(found.leakage, 3)]
    yield ["B4 distance correlation", "tree and content distance, -1 to 1", _number(found.distance_correlation, 3)]
    yield ["label consistency", "share of labels under the parent they fit best", _number(found.label_consistency, 3)]


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"
