"""Writes search-statistics.json: what independent programs say of small samples.

    pip install numpy scipy arch
    python test/golden/search-statistics.py > test/golden/search-statistics.json

Block lengths and p-values are of `arch` (K. Sheppard). The probability of overfitting and the Sharpe figures are written out here from the papers.
The samples follow from a formula, so that the test can make them again.
"""
import itertools
import json
import math

import numpy as np
from arch.bootstrap import SPA, optimal_block_length
from scipy.stats import kurtosis, norm, skew


def sample(seed, n, memory=0.0, drift=0.0):
    """Numbers of a linear congruential generator, as sums of four, with memory of the last one."""
    state, out, last = seed, [], 0.0
    for _ in range(n):
        total = 0.0
        for _ in range(4):
            state = (state * 1103515245 + 12345) % 2147483648
            total += state / 2147483648 - 0.5
        last = memory * last + total
        out.append(0.01 * last + drift)
    return np.array(out)


def overfitting(trials, blocks):
    n = trials.shape[1]
    edges = [math.floor(n * b / blocks + 0.5) for b in range(blocks + 1)]
    parts = [trials[:, edges[b]:edges[b + 1]] for b in range(blocks)]
    ratio = lambda x: x.mean(axis=1) / x.std(axis=1, ddof=1)
    logits, losses = [], []
    for half in itertools.combinations(range(blocks), blocks // 2):
        inside = ratio(np.concatenate([parts[b] for b in half], axis=1))
        rest = np.concatenate([parts[b] for b in range(blocks) if b not in half], axis=1)
        outside = ratio(rest)
        best = int(np.argmax(inside))
        rank = (outside < outside[best]).sum() + 1
        share = rank / (len(trials) + 1)
        logits.append(math.log(share / (1 - share)))
        losses.append(rest[best].sum() < 0)
    return float(np.mean([x <= 0 for x in logits])), float(np.mean(losses))


def sharpe(x, benchmark, trials, spread):
    ratio = x.mean() / x.std(ddof=1)
    third, fourth = skew(x), kurtosis(x, fisher=False)
    unit = 1 - third * ratio + (fourth - 1) / 4 * ratio**2
    probability = lambda level: norm.cdf((ratio - level) * math.sqrt(len(x) - 1) / math.sqrt(unit))
    euler = 0.57721566490153286
    best = spread * ((1 - euler) * norm.ppf(1 - 1 / trials) + euler * norm.ppf(1 - 1 / (trials * math.e)))
    return {
        "sharpe": ratio,
        "skew": third,
        "kurtosis": fourth,
        "probabilistic": probability(benchmark),
        "expectedBest": best,
        "deflated": probability(best),
        "leastTrackRecord": 1 + unit * (norm.ppf(0.95) / (ratio - benchmark)) ** 2,
    }


trials = np.array([sample(100 + k, 240, 0.2, 0.002 if k == 3 else 0.0) for k in range(12)])
noise = np.array([sample(900 + k, 240, 0.2) for k in range(12)])


def p_values(excess):
    spa = SPA(np.zeros(excess.shape[1]), -excess.T, block_size=5, reps=20000, bootstrap="stationary", studentize=True, seed=7)
    spa.compute()
    return {name: float(value) for name, value in spa.pvalues.items()}


print(json.dumps({
    "normal": [[x, norm.cdf(x)] for x in (-8.0, -3.2, -1.0, -0.3, 0.0, 0.47, 1.96, 4.5)],
    "quantile": [[p, norm.ppf(p)] for p in (1e-12, 0.001, 0.07, 0.4, 0.5, 0.8, 0.999)],
    "blockLength": [[memory, float(optimal_block_length(sample(5, 500, memory))["stationary"].iloc[0])] for memory in (0.0, 0.3, 0.7, 0.9)],
    "sharpe": sharpe(sample(21, 300, 0.0, 0.0015), 0.01, 40, 0.05),
    "overfitting": [list(overfitting(trials, 8)), list(overfitting(noise, 8))],
    "spa": [p_values(trials), p_values(noise)],
}, indent=1))
