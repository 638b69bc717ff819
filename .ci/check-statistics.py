#!/usr/bin/env python3
"""Checks the block analysis against SciPy: reads what kvrank.stats.infer.TestedPairs prints.

Welch's and Student's paired test are SciPy's own; the table's test is computed from the two-way
analysis of variance, written down anew from its textbook form.
"""
import sys

import numpy as np
from scipy import special, stats


def likeness(variances, d):
    """The degrees of freedom that Smyth's prior adds, by the two terms of the trigamma function."""
    excess = np.log(variances).var(ddof=1) - special.polygamma(1, d / 2)
    roots = np.roots([excess, -2, -2])
    return max(roots.real) if excess > 0 else np.inf


def table(logs):
    """p of the difference of the first two rows, by the table's noise or their own if larger."""
    m, n = logs.shape
    left = logs - logs.mean(1, keepdims=True) - logs.mean(0, keepdims=True) + logs.mean()
    squares = (left**2).sum(1)
    most = (m - 1) * (n - 1)
    common = squares.sum() / most
    own = np.full(m, common)
    if m > 2:
        own = (m * (m - 1) * squares - squares.sum()) / (most * (m - 2))
    noisy = own[:2][own[:2] > common] if m > 2 else np.array([])
    shared = common * (2 - len(noisy))
    each = min(n - 1 + likeness(np.maximum(own, 1e-6 * common), n - 1), most)
    total = shared + noisy.sum()
    t = abs(logs[0].mean() - logs[1].mean()) / np.sqrt(total / n)
    return 2 * stats.t.sf(t, total**2 / (shared**2 / most + (noisy**2).sum() / each))


def expected(logs):
    m, n = logs.shape
    if m * (m - 1) * 4.0**-n > 0.032:
        return [(1.0, table(logs))]
    found = [(0.7, stats.ttest_ind(logs[0], logs[1], equal_var=False).pvalue)]
    if m > 2:
        found.append((0.1, stats.ttest_rel(logs[0], logs[1]).pvalue))
        found.append((0.2, table(logs)))
    else:
        found.append((0.3, stats.ttest_rel(logs[0], logs[1]).pvalue))
    return found


checked = 0
for line in sys.stdin:
    rows, *tests = line.split()
    logs = np.array([[float(v) for v in row.split(",")] for row in rows.split(";")])
    for (weight, p), test in zip(expected(logs), tests, strict=True):
        own_weight, own_p = (float(v) for v in test.split(":"))
        assert abs(own_weight - weight) < 1e-9, (line, weight)
        assert abs(own_p - min(1, p / weight)) < 1e-6 * max(own_p, 1e-6), (line, weight, p)
        checked += 1
assert checked > 300, checked
print(f"{checked} tests of 200 tables agree with SciPy {__import__('scipy').__version__}")
