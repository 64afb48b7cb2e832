"""Findings, and the rules that make them."""

from __future__ import annotations

from collections.abc import Collection

from attrs import frozen

from memkit.errors import UserError

RULES = {
    "frontmatter-missing": "a file has no frontmatter",
    "frontmatter-late": "the frontmatter does not begin on the first line",
    "frontmatter-second": "a second block of frontmatter follows the first",
    "frontmatter-unreadable": "the frontmatter is not a small map of strings",
    "frontmatter-name": "the name is not the file's without its suffix",
    "frontmatter-description": "there is no description",
    "frontmatter-lines": "the description takes more than one line",
    "reference-dangling": "a reference leads to a file that is not there",
    "reference-moved": "a reference leads to a file that is now elsewhere",
    "reference-section": "a reference leads to a section that is not there",
    "duplicate-exact": "two sections say the same",
    "duplicate-near": "two sections say nearly the same, with the same numbers, dates and names",
    "file-empty": "a file has no text below its frontmatter and headings",
    "file-unreadable": "a file is not text",
    "sibling-confusable": "two siblings have names of the same words, and descriptions do not tell them apart",
    "date-contradiction": "a fact that has one date is given two",
}
"""What each rule finds. The word before the first hyphen is its family, which can be chosen as a whole."""


@frozen(order=True)
class Finding:
    """A fault on `line` (1-based) of the file at the virtual `path`: a sentence, and how to mend it.

    `fixable` says that `memkit.lint.fix` can mend it without losing anything.
    """

    path: str
    line: int
    rule: str
    message: str
    mend: str
    fixable: bool = False


def choose_rules(select: Collection[str] = (), ignore: Collection[str] = ()) -> frozenset[str]:
    """The rules named by `select`, or all, without those named by `ignore`; names are of rules and families.

    Raises UserError for a name that is neither.
    """
    chosen = {rule for name in select for rule in _named(name)} if select else set(RULES)
    return frozenset(chosen - {rule for name in ignore for rule in _named(name)})


def _named(name: str) -> list[str]:
    found = [rule for rule in RULES if name in (rule, rule.partition("-")[0])]
    if not found:
        raise UserError(f"{name!r} is no rule; there are: {', '.join(RULES)}")
    return found
