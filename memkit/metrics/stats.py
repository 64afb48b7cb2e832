"""Statistics of a paired comparison whose items come in clusters.

Questions asked of one memory share its luck, so the cluster (the stream) is the unit of inference: tests that
take questions for independent raise four to six times the false alarms they promise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from math import fsum, sqrt

from attrs import frozen

from memkit.errors import UserError

EXACT_CLUSTERS = 16
"""Up to so many clusters every pattern of signs is counted (2^16); beyond, patterns are drawn."""
DRAWS = 9_999
"""Patterns of signs drawn beyond `EXACT_CLUSTERS`; the smallest p is then 1 / (DRAWS + 1)."""
SEED = 20_240_611
"""Of those draws: the same data give the same p."""
TOLERANCE = 1e-12
"""Relative; sums of signed floats that differ by less are taken for equal."""


@frozen
class Difference:
    """The mean of `a - b` over items, and what may be said beyond them.

    `low` and `high` bound the mean at the level asked for; they and `p` are None with one cluster, where `sign_p`,
    the two-sided sign test over the items, merely describes this stream. `method` says all that in words.
    """

    mean: float
    low: float | None
    high: float | None
    p: float | None
    items: int
    clusters: int
    method: str
    sign_p: float | None = None


def paired_difference(pairs: Sequence[tuple[Hashable, float, float]], *, level: float = 0.95) -> Difference:
    """The difference of two arms on the items scored in both: `pairs` holds (cluster, score a, score b).

    The interval is mean +- t * se, t with C - 1 degrees of freedom and se the cluster-robust standard error with the
    correction C / (C - 1) (Liang & Zeger 1986; Cameron & Miller 2015, section II). p is that of the sign-flip
    test on cluster sums. Raises UserError without pairs.
    """
    if not pairs:
        raise UserError("no item is scored in both arms; there is nothing to compare")
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for cluster, a, b in pairs:
        groups[cluster].append(a - b)
    items, clusters = len(pairs), len(groups)
    mean = fsum(d for group in groups.values() for d in group) / items
    if clusters == 1:
        (only,) = groups.values()
        method = "one stream: no inference beyond it; the sign test over its items is descriptive"
        return Difference(mean, None, None, None, items, 1, method, sign_p=sign_test(only))
    residuals = (fsum(d - mean for d in group) for group in groups.values())
    se = sqrt(clusters / (clusters - 1) * fsum(r * r for r in residuals)) / items
    margin = t_quantile((1 + level) / 2, clusters - 1) * se
    p = sign_flip_p([fsum(group) for group in groups.values()])
    how = "exact" if clusters <= EXACT_CLUSTERS else f"{DRAWS} draws, seed {SEED}"
    method = f"{level:.0%} interval: cluster-robust t, {clusters - 1} df; p: sign-flip over {clusters} clusters ({how})"
    return Difference(mean, mean - margin, mean + margin, p, items, clusters, method)


def sign_flip_p(sums: Sequence[float]) -> float:
    """Two-sided p in (0, 1] of the sum of `sums`, were each as likely to have the other sign.

    Exact up to `EXACT_CLUSTERS` sums, where p is a multiple of 2^-C and at least 2^(1-C); drawn with a fixed seed
    beyond.
    """
    import numpy as np

    # Sizes in order of size: neither the order of the clusters nor the direction of a - b can move p.
    sizes = np.sort(np.abs(np.asarray(sums, dtype=float)))
    observed = abs(fsum(sums)) - TOLERANCE * float(sizes.sum())
    if len(sizes) <= EXACT_CLUSTERS:
        totals = np.zeros(1)
        for size in sizes:
            totals = np.concatenate([totals + size, totals - size])
        return float(np.mean(np.abs(totals) >= observed))
    signs = np.random.default_rng(SEED).choice([-1.0, 1.0], size=(DRAWS, len(sizes)))
    reached = int(np.count_nonzero(np.abs(signs @ sizes) >= observed))
    return (reached + 1) / (DRAWS + 1)


def sign_test(differences: Iterable[float]) -> float:
    """Two-sided p of the sign test over single items; ties are left out, and nothing but ties gives 1."""
    from scipy.stats import binomtest

    signs = [d > 0 for d in differences if d != 0]
    return float(binomtest(sum(signs), len(signs)).pvalue) if signs else 1.0


def wilson(successes: float, n: float, *, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a proportion (Wilson 1927), for `n` > 0; both may be fractional (effective counts)."""
    if not 0 <= successes <= n or n <= 0:
        raise ValueError(f"{successes} of {n} is no proportion")
    z = _normal_quantile((1 + level) / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # The ends are exact where nothing or everything succeeded; rounding would miss them by a hair.
    return 0.0 if successes == 0 else centre - half, 1.0 if successes == n else centre + half


def holm(ps: Sequence[float]) -> list[float]:
    """The p values adjusted for being many (Holm 1979), in the order given."""
    adjusted = [0.0] * len(ps)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = least
    return adjusted


def t_quantile(q: float, df: int) -> float:
    """The `q` quantile of Student's t with `df` degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(df, q))


def _normal_quantile(q: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(q)
