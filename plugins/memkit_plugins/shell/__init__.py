"""The harness `shell` and the searcher `code`: what a model writes runs in a sandbox or not at all."""

from __future__ import annotations

from memkit import Check, Harness, Layout, Model, Registry, Searcher, hookimpl

LEDGER: tuple[Layout, ...] = ("ledger",)

# A factory, so that registering loads neither the store nor the sandbox.


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the harness, and the searcher that writes programs."""
    registry.harness("shell", shell)
    registry.searcher("code", code, layouts=LEDGER)


@hookimpl
def memkit_check_machine() -> list[Check]:
    """The level of the sandbox here."""
    from memkit_plugins.shell.sandbox import probe

    best = probe()
    found = f"level {best.level}: {best.why}" if best.available else f"no sandbox: {best.why}"
    return [Check("sandbox of the harness `shell`", best.available, found, "" if best.available else best.mend)]


def shell(*, accept_unsandboxed: bool = False) -> Harness:
    """One bash tool over a private copy of the store, in a sandbox.

    Raises UserError where no sandbox works, unless `accept_unsandboxed` says that commands of a model may run bare.
    """
    from memkit_plugins.shell.harness import Shell
    from memkit_plugins.shell.sandbox import choose_box

    return Shell(choose_box(accept_unsandboxed=accept_unsandboxed))


def code(model: Model, *, accept_unsandboxed: bool = False) -> Searcher:
    """A model's program over the event ledger and the log, run in the sandbox, computes what is asked.

    Raises UserError where no sandbox works, unless `accept_unsandboxed` says that commands of a model may run bare.
    """
    from memkit_plugins.shell.programs import CodeSearcher
    from memkit_plugins.shell.sandbox import choose_box

    return CodeSearcher(model, choose_box(accept_unsandboxed=accept_unsandboxed))
