"""Choosing rules."""

from __future__ import annotations

import pytest

from memkit.errors import UserError
from memkit.lint.finding import RULES, choose_rules


def test_choice() -> None:
    """All rules unless some are selected, without those ignored; a family stands for its rules."""
    assert set(RULES) == choose_rules()
    assert {"file-empty", "duplicate-near"} == choose_rules(["file-empty", "duplicate"], ["duplicate-exact"])
    assert not any(rule.startswith("frontmatter-") for rule in choose_rules(ignore=["frontmatter"]))


def test_unknown() -> None:
    """A name that is no rule is told, with those there are."""
    with pytest.raises(UserError) as caught:
        choose_rules(["frontmater"])

    assert f"'frontmater' is no rule; there are: {', '.join(RULES)}" == str(caught.value)
