#!/usr/bin/env python3
"""Checks the analysis of a table against NumPy and SciPy: reads what TestedPairs prints.

The model is written down from its textbook form, with the matrices of all values.
"""
import sys

import numpy as np
from scipy import optimize, special, stats

COINCIDENCE = 0.032


def moderated(own, degrees):
    """Smyth's variances, never below the engine's own, with six engines of prior belief."""
    m = len(own)
    logs = np.log(own) - special.digamma(degrees / 2) + np.log(degrees / 2)
    chance = special.polygamma(1, degrees / 2).mean()
    spread = (((logs - logs.mean()) ** 2).sum() + 6 * (2 + chance)) / (m - 1 + 6) - chance
    added = 1e4
    if spread > 0:
        root = optimize.brentq(lambda x: special.polygamma(1, np.exp(x)) - spread, -20, 20)
        added = min(1e4, 2 * np.exp(root))
    typical = np.exp(logs.mean() + special.digamma(added / 2) - np.log(added / 2))
    total = degrees + added
    return np.maximum(own, (added * typical + degrees * own) / total), total


def hidden(m, n, most):
    """The chance that at most so many engines show both speeds, and two others differ."""
    worst = 0
    for share in np.arange(0.5, 0.075, -0.05):
        slow, fast = share**n, (1 - share) ** n
        x = np.arange(min(most, m - 2) + 1)
        others = (fast + slow) ** (m - x) - fast ** (m - x) - slow ** (m - x)
        worst = max(worst, (special.comb(m, x) * (1 - fast - slow) ** x * others).sum())
    return worst


def speeds(own, n):
    m = len(own)
    k = next((k for k in range(m) if hidden(m, n, k) > COINCIDENCE), m)
    if k == m:
        return 0
    shown = np.sqrt(n * np.sort(own)[m - max(k, 1)])
    return 1.4 * (shown if k else max(shown, np.log(1.25)))


def expected(logs):
    m, n = logs.shape
    present = ~np.isnan(logs)
    engine, block = np.nonzero(present)
    y = logs[present]
    counts = present.sum(1)
    own = np.maximum([np.var(y[engine == e], ddof=1) for e in range(m)], 1e-6)
    unpaired, more = moderated(own, counts - 1.0)
    raw = own

    design = np.zeros((len(y), m + n))
    design[np.arange(len(y)), engine] = 1
    design[np.arange(len(y)), m + block] = 1
    weights = np.full(m, 1 / m)
    for turn in range(1 if m == 2 else 4):
        if turn:
            weights = 1 / variances
            for _ in range(m):
                weights = np.minimum(weights / weights.sum(), max(1 / m, 0.3))
        w = weights[engine]
        fit = np.linalg.pinv(design.T * w @ design) @ design.T * w
        residual = np.eye(len(y)) - design @ fit
        squares = np.array([((residual @ y)[engine == e] ** 2).sum() for e in range(m)])
        a = np.array(
            [[(residual[engine == e][:, engine == k] ** 2).sum() for k in range(m)] for e in range(m)]
        )
        degrees = np.array([np.trace(residual[engine == e][:, engine == e]) for e in range(m)])
        variances = np.linalg.pinv(a, rcond=1e-9) @ squares
        variances = np.maximum(np.maximum(variances, 0.7 * squares / (counts - 1)), 1e-6)
    own_degrees = degrees
    blocked, degrees = (variances, degrees) if m == 2 else moderated(variances, degrees)

    effects = fit[m:]
    centre = np.eye(n) - 1 / n
    effects = centre @ effects
    noise = (effects**2 * variances[engine]).sum() / (n - 1)
    total = ((effects @ y) ** 2).sum() / (n - 1)
    tau = max(0, total - noise)
    tau += np.sqrt(2 / (n - 1)) * (tau + noise)

    same = block[:, None] == block[None, :]
    precision = np.linalg.inv(np.diag(blocked[engine]) + tau * same)
    x = design[:, :m]
    c = (np.linalg.inv(x.T @ precision @ x) @ x.T @ precision)[:2]
    c = c[0] - c[1]
    difference = abs(c @ y)
    shares = np.array([(c[engine == e] ** 2).sum() for e in range(m)])
    ofblocks = tau * sum(c[block == b].sum() ** 2 for b in range(n))
    share = max(0.2, 1.4 / m)
    for shown, v, own_d, d, extra, weight in (
        (raw, unpaired, counts - 1.0, more, 0, share),
        (variances, blocked, own_degrees, degrees, ofblocks, 1 - share),
    ):
        terms = shares * v
        variance = terms.sum() + extra
        df = variance**2 / ((terms**2 / d).sum() + extra**2 / (n - 1)) * (1 - 1 / m)
        df = min(df, own_d.sum())
        df = max(df, variance**2 / ((terms**2 / own_d).sum() + extra**2 / (n - 1)))
        p = 2 * stats.t.sf(difference / np.sqrt(variance), df)
        explained = max(speeds(shown, n) for n in counts[:2])
        yield weight, weight if difference <= explained else p


checked = 0
for line in sys.stdin:
    rows, *tests = line.split()
    logs = np.array([[float(v) for v in row.split(",")] for row in rows.split(";")])
    for (weight, p), test in zip(expected(logs), tests, strict=True):
        own_weight, own_p = (float(v) for v in test.split(":"))
        assert abs(own_weight - weight) < 1e-9, (line, weight)
        assert abs(own_p - min(1, p / weight)) < 1e-5 * max(own_p, 1e-6), (line, weight, p, own_p)
        checked += 1
assert checked == 400, checked
print(f"{checked} tests of 200 tables agree with SciPy {__import__('scipy').__version__}")
