"""Moving files into folders and nothing else: the tools that allow it, the check, and the moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from memkit import Store, StoreError, Tool, ToolError, define_tool, write_tools

GRANTED = ("view", "grep")
FAULTS_LISTED = 10


def folding_tools(store: Store) -> Sequence[Tool]:
    """view, grep, and a rename that keeps the names of files."""
    tools = {tool.spec.name: tool for tool in write_tools(store)}

    async def rename(old_path: str, new_path: str) -> str:
        is_file = store.exists(old_path) and not store.is_dir(old_path)
        name = PurePosixPath(old_path).name
        if is_file and PurePosixPath(new_path).name != name:
            raise ToolError(f"A file keeps its name here: the new path of {old_path} must end in /{name}")
        return await tools["rename"]({"old_path": old_path, "new_path": new_path})

    return (*(tools[name] for name in GRANTED), define_tool("rename", rename, writes=True))


def moves(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> dict[str, str]:
    """Old path -> new path of every file that moved. Raises StoreError listing files lost, added or changed."""
    old, new = _by_name(before), _by_name(after)
    faults = [f"{path} is gone" for name, path in old.items() if name not in new]
    faults += [f"{path} is new" for name, path in new.items() if name not in old]
    both = [(old[name], path) for name, path in new.items() if name in old]
    faults += [f"{path} has other content" for was, path in both if before[was] != after[path]]
    if faults:
        more = f" and {len(faults) - FAULTS_LISTED} more" if len(faults) > FAULTS_LISTED else ""
        raise StoreError(f"Foldering may only move files: {'; '.join(faults[:FAULTS_LISTED])}{more}.")
    return {old[name]: path for name, path in new.items() if path != old[name]}


def apply_moves(store: Store, moved: Mapping[str, str]) -> None:
    """Move the files, and remove the folders that are empty afterwards."""
    for old, new in moved.items():
        store.rename(old, new)
    files = store.paths()
    empty = [entry.path for entry in store.entries() if entry.is_dir and not _holds(entry.path, files)]
    for path in empty:
        if store.exists(path):  # It may have gone with a folder around it.
            store.delete(path)


def _by_name(files: Mapping[str, bytes]) -> dict[str, str]:
    """Name -> path; a name that occurs twice is told apart by its path."""
    found: dict[str, str] = {}
    for path in files:
        name = PurePosixPath(path).name
        found[path if name in found else name] = path
    return found


def _holds(folder: str, files: Sequence[str]) -> bool:
    return any(file.startswith(folder + "/") for file in files)
