"""The safe mends, made in the store itself under its lock."""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby

from memkit.lint.check import lint
from memkit.lint.finding import RULES, Finding
from memkit.lint.frontmatter import fix_frontmatter
from memkit.lint.references import fix_references
from memkit.store.files import Store
from memkit.store.texts import MARKDOWN, read_texts

FIXED = frozenset({"frontmatter-missing", "frontmatter-name", "frontmatter-description", "reference-moved"})
"""The rules some of whose findings can be mended without losing anything."""


def fix(store: Store, *, rules: Collection[str] = tuple(RULES)) -> list[Finding]:
    """Mend what is fixable under `rules`, and give the findings that are gone; a file is replaced whole or not at all.

    The lock is held from reading to writing, so no writer's change is lost. A second call finds nothing to mend.
    Raises StoreError; files before the one it names are then mended.
    """
    with store.lock:
        files, _ = read_texts(store, MARKDOWN)
        found = [finding for finding in lint(files, rules=FIXED & set(rules)) if finding.fixable]
        for path, group in groupby(found, key=lambda finding: finding.path):
            kinds = {finding.rule for finding in group}
            text = fix_references(files[path], files) if "reference-moved" in kinds else files[path]
            store.write(path, fix_frontmatter(path, text, kinds))
    return found
