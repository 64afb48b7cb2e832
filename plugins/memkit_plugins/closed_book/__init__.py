"""No memory at all: the builder `closed-book`, which makes no store, and the harness `none`, which reaches none."""

from __future__ import annotations

from memkit import Registry, hookimpl


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.closed_book.builder import ClosedBook
    from memkit_plugins.closed_book.harness import NoTools

    registry.builder("closed-book", ClosedBook)
    registry.harness("none", NoTools)
