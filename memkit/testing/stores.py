"""Stores for hypothesis: a few small files in folders, with headings, references, and frontmatter good and bad."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from memkit.testing.strategies import texts

_WORDS = (
    "kiln",
    "clay",
    "glaze",
    "fern",
    "moss",
    "Ana",
    "Bo",
    "7",
    "3 May 2024",
    "born",
    "see /memories/moss.md",
    "[S1T2]",
)
_HEADS = (
    "",
    "---\nname: {}\ndescription: About {}\n---\n",
    "---\ndescription: Ferns\nmetadata:\n  by: Bo\n---\n",
    "---\nname: clay # {}\n---\n",
    "---\nname: 'fern'\ndescription:\n---\n",
    "---\n---\n",
    "---\nname: [kiln\n---\n",
    "---\nname: {}\n",
    "\n---\nname: {}\n---\n",
    "\ufeff",
)


def stores(*, max_files: int = 6) -> st.SearchStrategy[Mapping[str, str]]:
    """Texts by virtual path, of up to three names; line breaks of both kinds."""
    names = st.lists(st.sampled_from(("kiln", "clay", "fern", "moss", "index")), min_size=1, max_size=3)
    paths = names.map(lambda parts: "/memories/" + "/".join(parts) + ".md")
    return st.dictionaries(paths, _files(), max_size=max_files)


def _files() -> st.SearchStrategy[str]:
    line = st.lists(st.sampled_from(_WORDS), max_size=12).map(" ".join) | texts(max_size=20)
    title = st.integers(1, 4).flatmap(lambda level: st.sampled_from(_WORDS[:7]).map(f"{'#' * level} {{}}".format))
    body = st.lists(st.just("") | line | line.map("- {}".format) | title, max_size=12).map("\n".join)
    head = st.tuples(st.sampled_from(_HEADS), st.sampled_from(_WORDS[:7])).map(
        lambda pair: pair[0].replace("{}", pair[1])
    )
    breaks = st.sampled_from(("\n", "\n", "\r\n"))
    return st.tuples(head, body, breaks).map(lambda file: (file[0] + file[1]).replace("\n", file[2]))
