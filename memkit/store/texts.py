"""Every text of a store at once, for what looks at a store as a whole."""

from __future__ import annotations

from memkit.errors import NotFound, StoreError
from memkit.store.files import Store

MARKDOWN = ".md"


def read_texts(store: Store, suffix: str = "") -> tuple[dict[str, str], dict[str, str]]:
    """The text of each file whose name ends in `suffix`, by path, and why the others of them cannot be read."""
    texts, faults = {}, {}
    for path in store.paths():
        if path.endswith(suffix):
            try:
                texts[path] = store.read(path)
            except NotFound:
                continue  # Another writer removed it since the walk.
            except StoreError as error:
                faults[path] = str(error)
    return texts, faults
