"""The shape of a store (filesystem paper, tables 3 and 4, panel A; definitions in appendix D.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from attrs import frozen

from memkit.metrics.references import find_references
from memkit.metrics.tree import Tree, build_tree


@frozen
class Shape:
    """Counts, and how the combined tree branches. Means are None in a store without files.

    The root counts to no number and has depth 0. `bytes` is the size of the files as UTF-8. Leaves are sections
    without subsections and files without headings; `mean_depth` is theirs, the Sackin index over their number.
    `fanout` is the mean number of children of the nodes that have any. `size_gini` in [0, 1) is the Gini coefficient
    of the leaves' sizes in characters: 0 when all are as large; None when all are empty. The paper reports a
    concentration of sizes without saying which; this is the usual one. `references` counts every occurrence, and
    `dangling` those to a file or section that is not there.
    """

    files: int
    folders: int
    sections: int
    bytes: int
    references: int
    dangling: int
    leaves: int
    mean_depth: float | None
    max_depth: int
    fanout: float | None
    size_gini: float | None


def measure_shape(files: Mapping[str, str], tree: Tree | None = None) -> Shape:
    """The shape of texts by virtual path; `tree` is theirs, when it is built already."""
    tree = tree or build_tree(files)
    leaves = [tree.nodes[number] for number in tree.leaves]
    depths = [leaf.depth for leaf in leaves]
    branches = [len(group) for group in tree.children if group]
    references, dangling = _count_references(files)
    return Shape(
        files=tree.count("file"),
        folders=tree.count("folder"),
        sections=tree.count("section"),
        bytes=sum(len(text.encode()) for text in files.values()),
        references=references,
        dangling=dangling,
        leaves=len(leaves),
        mean_depth=fmean(depths) if depths else None,
        max_depth=max(depths, default=0),
        fanout=fmean(branches) if branches else None,
        size_gini=gini([len(leaf.text.strip()) for leaf in leaves]),
    )


def gini(sizes: Sequence[int]) -> float | None:
    """The Gini coefficient of sizes >= 0: half their mean absolute difference over their mean; None when all are 0."""
    total = sum(sizes)
    if not total:
        return None
    weighted = sum(rank * size for rank, size in enumerate(sorted(sizes), 1))
    return (2 * weighted - (len(sizes) + 1) * total) / (len(sizes) * total)


def _count_references(files: Mapping[str, str]) -> tuple[int, int]:
    """All, and those that dangle; each way of writing one is looked up once."""
    found = [one for text in files.values() for one in find_references(text)]
    faulty = {text for text, one in {one.text: one for one in found}.items() if one.dangles(files)}
    return len(found), sum(one.text in faulty for one in found)
