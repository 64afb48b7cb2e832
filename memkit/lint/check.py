"""All rules over one store."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet

from memkit.lint.contents import check_contents
from memkit.lint.dates import check_dates
from memkit.lint.duplicates import check_duplicates
from memkit.lint.finding import RULES, Finding
from memkit.lint.frontmatter import check_frontmatter
from memkit.lint.references import check_references
from memkit.lint.siblings import check_siblings
from memkit.metrics.tree import build_tree


def lint(
    files: Mapping[str, str], unreadable: Mapping[str, str] | None = None, *, rules: Collection[str] = tuple(RULES)
) -> list[Finding]:
    """The findings of `rules` about texts by virtual path, by path and line; `unreadable` says why a file has none."""
    ordered = {path: files[path] for path in sorted(files, key=lambda path: path.split("/"))}
    found = _findings(ordered, unreadable or {}, {rule.partition("-")[0] for rule in rules})
    return sorted(finding for finding in found if finding.rule in rules)


def _findings(files: Mapping[str, str], unreadable: Mapping[str, str], families: AbstractSet[str]) -> Iterator[Finding]:
    if "frontmatter" in families:
        yield from check_frontmatter(files)
    if "reference" in families:
        yield from check_references(files)
    if "file" in families:
        yield from check_contents(files, unreadable)
    if "date" in families:
        yield from check_dates(files)
    if families & {"duplicate", "sibling"}:
        tree = build_tree(files)
        yield from check_duplicates(tree) if "duplicate" in families else ()
        yield from check_siblings(tree) if "sibling" in families else ()
