"""Writes test/golden/metrics.json: the metrics of a synthetic run by other programs. The test needs no Python.

    python3 -m venv venv && venv/bin/pip install empyrical-reloaded==0.7.1 quantstats==0.0.86 arch==8.0.0
    venv/bin/python test/golden/metrics.py

The run has 400 days and 240 trades. They are made from the integers of a Lehmer generator, so that test/golden/metrics.test.ts makes the
same ones. Where a library defines a metric in another way, the difference is written beside the value and taken out of it.
"""

import json
import math
import os

import empyrical as ep
import numpy as np
import pandas as pd
import quantstats.stats as qs
from arch.bootstrap import optimal_block_length
from scipy import stats

HERE = os.path.dirname(os.path.abspath(__file__))
DAYS = 400
TRADES = 240
YEAR = 365
START = 10_000.0


class Lehmer:
    def __init__(self, seed):
        self.state = seed

    def draw(self, below):
        self.state = self.state * 48271 % 2147483647
        return self.state % below


def made():
    random = Lehmer(7)
    market = [(random.draw(8001) - 3950) / 100_000 for _ in range(DAYS)]
    own = []
    for k in range(DAYS):
        noise = (random.draw(4001) - 1900) / 100_000
        before = own[-1] if k > 0 else 0.0
        own.append(0.3 * market[k] + 0.25 * before + noise)
    exposure = [0.0 if random.draw(4) == 0 else float(random.draw(30_000)) for _ in range(DAYS + 1)]
    trades = []
    for k in range(TRADES):
        net = (random.draw(20_001) - 9_500) / 100 if k % 24 else 0.0
        trades.append((net, 1 if random.draw(3) else -1, 1000 + random.draw(9_000_000), random.draw(3000) / 1e5, random.draw(4000) / 1e5))
    return np.array(own), np.array(market), np.array(exposure), np.array(trades)


def lo(r):
    n, q = len(r), YEAR
    lags = int(4 * (n / 100) ** (2 / 9))
    d = r - r.mean()
    rho = [float((d[k:] * d[:-k]).sum() / (d * d).sum()) for k in range(1, lags + 1)]
    return r.mean() / r.std(ddof=1) * q / math.sqrt(q + 2 * sum((q - k - 1) * p for k, p in enumerate(rho)))


def episodes(equity):
    """Depth as a share and as an amount, days from the peak to its recovery or the end, days from the trough to the recovery or None."""
    found = []
    k = 0
    n = len(equity)
    while k < n - 1:
        if equity[k + 1] >= equity[k]:
            k += 1
            continue
        back = [j for j in range(k + 1, n) if equity[j] >= equity[k]]
        end = back[0] if back else n - 1
        low = k + int(np.argmin(equity[k : end + 1]))
        found.append(((equity[k] - equity[low]) / equity[k], equity[k] - equity[low], end - k, end - low if back else None))
        k = end
        if not back:
            break
    return found


def runs_score(net):
    signs = net > 0
    n, won = len(signs), int(signs.sum())
    runs = 1 + int((signs[1:] != signs[:-1]).sum())
    expected = 2 * won * (n - won) / n + 1
    return (runs - expected) / math.sqrt((expected - 1) * (expected - 2) / (n - 1))


def longest(flags):
    best = run = 0
    for flag in flags:
        run = run + 1 if flag else 0
        best = max(best, run)
    return best


def main():
    own, market, exposure, trades = made()
    dates = pd.date_range("2024-01-01", periods=DAYS, freq="D")
    r, b = pd.Series(own, dates), pd.Series(market, dates)
    equity = START * np.concatenate([[1.0], np.cumprod(1 + own)])
    peak = np.maximum.accumulate(equity)
    under = (peak - equity) / peak
    cagr = ep.cagr(r, annualization=YEAR)
    falls = episodes(equity)
    deepest = np.sort([share for share, _, _, _ in falls])[::-1][:5]
    years = DAYS / YEAR
    sr = own.mean() / own.std(ddof=1)
    g3, g4 = stats.skew(own), stats.kurtosis(own, fisher=False)
    spread = 1 - g3 * sr + (g4 - 1) / 4 * sr**2
    alpha, beta = ep.alpha_beta(r, b, annualization=YEAR)
    net, side, held, mae, mfe = trades.T
    # quantstats' figures of trades take the results as if they were returns. It counts a result of 0 as no trade at all in its win rate;
    # here it is a trade, so the zeros are left out of its input where they do not matter and Kelly is computed from our win rate.
    results = pd.Series(net, pd.date_range("2024-01-01", periods=TRADES, freq="D"))
    payoff = net[net > 0].mean() / -net[net < 0].mean()
    assert abs(qs.payoff_ratio(results, prepare_returns=False) - payoff) < 1e-12
    win_rate = (net > 0).mean()
    day = 86_400_000
    values = {
        # Result
        "netProfit": equity[-1] - START,
        "totalReturn": ep.cum_returns_final(r),
        "grossProfit": net[net > 0].sum(),
        "grossLoss": net[net < 0].sum(),
        "cagr": cagr,
        "holdReturn": ep.cum_returns_final(b),
        "excessReturn": ep.cum_returns_final(r) - ep.cum_returns_final(b),
        "fees": 123.5,
        "feeShare": 123.5 / (net[net > 0].sum() + 123.5),
        "feeRate": 123.5 / 250_000,
        "funding": -7.25,
        "fundingShare": -7.25 / abs(equity[-1] - START),
        "exposureTime": (exposure > 0).mean(),
        "averageExposure": exposure.mean(),
        "maxExposure": exposure.max(),
        "averageLeverage": (exposure / equity).mean(),
        "maxLeverage": (exposure / equity).max(),
        "turnover": 250_000,
        "turnoverPerDay": 250_000 / equity.mean() / DAYS,
        # Returns
        "volatility": ep.annual_volatility(r, annualization=YEAR),
        "sharpe": ep.sharpe_ratio(r, annualization=YEAR),
        "loSharpe": lo(own),
        "sharpeError": math.sqrt(spread / (DAYS - 1) * YEAR),
        # quantstats.probabilistic_sharpe_ratio takes the excess kurtosis with a factor 1/4, and √(n − 1) of it: the same formula.
        "probabilisticSharpe": stats.norm.cdf(sr * math.sqrt(DAYS - 1) / math.sqrt(spread)),
        "minTrackRecord": (1 + spread * (stats.norm.ppf(0.95) / sr) ** 2) * day,
        "sortino": ep.sortino_ratio(r, annualization=YEAR),
        "downsideDeviation": ep.downside_risk(r, annualization=YEAR),
        "omega": ep.omega_ratio(r, annualization=1),
        "gainToPain": qs.gain_to_pain_ratio(r),
        "kappaThree": own.mean() / np.cbrt((np.clip(-own, 0, None) ** 3).mean()),
        # Both libraries give returns, we give losses: the sign is turned.
        "valueAtRisk": -ep.value_at_risk(r, 0.05),
        "expectedShortfall": -ep.conditional_value_at_risk(r, 0.05),
        "tailRatio": ep.tail_ratio(r),
        "skewness": qs.skew(r),
        "kurtosis": qs.kurtosis(r),
        "autocorrelation": float(((own[1:] - own.mean()) * (own[:-1] - own.mean())).sum() / ((own - own.mean()) ** 2).sum()),
        "stability": ep.stability_of_timeseries(r),
        "positivePeriods": (own > 0).mean(),
        "averagePeriod": own.mean(),
        "bestPeriod": qs.best(r),
        "worstPeriod": qs.worst(r),
        # Benchmark
        "alpha": alpha,
        "beta": beta,
        "correlation": np.corrcoef(own, market)[0, 1],
        "rSquared": qs.r_squared(r, b, prepare_returns=False),
        "trackingError": (own - market).std(ddof=1) * math.sqrt(YEAR),
        # The libraries do not annualise the information ratio.
        "informationRatio": ep.excess_sharpe(r, b) * math.sqrt(YEAR),
        # quantstats.treynor_ratio divides the total return by beta; Treynor takes the return of a year.
        "treynor": cagr / beta,
        # By default empyrical annualises both, which overflows for short periods. "yearly" leaves the geometric mean of a period.
        "upCapture": ep.up_capture(r, b, period="yearly"),
        "downCapture": ep.down_capture(r, b, period="yearly"),
        # Drawdowns
        "maxDrawdown": max(amount for _, amount, _, _ in falls),
        "maxDrawdownShare": -ep.max_drawdown(r),
        "averageDrawdown": np.mean([share for share, _, _, _ in falls]),
        "longestDrawdown": max(days for _, _, days, _ in falls) * day,
        "averageDrawdownTime": np.mean([days for _, _, days, _ in falls]) * day,
        "recoveryTime": max(days for _, _, _, days in falls if days is not None) * day,
        "underwaterTime": (under > 0).mean(),
        # quantstats divides by n − 1 of the returns; Martin & McCann divide by n, here of the points with the start.
        "ulcerIndex": qs.ulcer_index(r) * math.sqrt((DAYS - 1) / (DAYS + 1)),
        "painIndex": under.mean(),
        # quantstats.ulcer_performance_index takes the total return instead of that of a year.
        "ulcerPerformance": cagr / math.sqrt((under**2).mean()),
        "painRatio": cagr / under.mean(),
        "calmar": ep.calmar_ratio(r, annualization=YEAR),
        "mar": qs.calmar(r, periods=YEAR) * cagr / qs.cagr(r, periods=YEAR),
        "sterling": cagr / deepest.mean(),
        "burke": cagr / math.sqrt((deepest**2).sum()),
        # quantstats.recovery_factor takes the sum of returns and the largest share instead of amounts.
        "recoveryFactor": (equity[-1] - START) / max(amount for _, amount, _, _ in falls),
        # Trades
        "trades": TRADES,
        "tradesPerDay": TRADES / DAYS,
        "winRate": win_rate,
        "longWinRate": (net[side > 0] > 0).mean(),
        "shortWinRate": (net[side < 0] > 0).mean(),
        "longNet": net[side > 0].sum(),
        "shortNet": net[side < 0].sum(),
        "profitFactor": qs.profit_factor(results, prepare_returns=False),
        "payoff": payoff,
        "expectancy": net.mean(),
        "medianTrade": np.median(net),
        "tradeDeviation": net.std(ddof=1),
        "averageWin": qs.avg_win(results, prepare_returns=False),
        "averageLoss": qs.avg_loss(results, prepare_returns=False),
        "largestWin": net.max(),
        "largestLoss": net.min(),
        "largestWinShare": net.max() / net[net > 0].sum(),
        "longestWinningRun": longest(net > 0),
        "longestLosingRun": longest(net < 0),
        "runsScore": runs_score(net),
        "systemQuality": 10 * net.mean() / net.std(ddof=1),
        "kelly": win_rate - (1 - win_rate) / payoff,
        "riskOfRuin": math.exp(-2 * net.mean() * START / 2 / net.var(ddof=1)),
        "averageHolding": held.mean(),
        "medianHolding": np.median(held),
        "longestHolding": held.max(),
        "winHolding": held[net > 0].mean(),
        "lossHolding": held[net < 0].mean(),
        "averageMae": mae.mean(),
        "averageMfe": mfe.mean(),
        "winMae": mae[net > 0].mean(),
        "edgeRatio": mfe.mean() / mae.mean(),
    }
    ar = [1.0]
    noise = Lehmer(3)
    for _ in range(999):
        ar.append(0.6 * ar[-1] + (noise.draw(2001) - 1000) / 1000)
    golden = {
        "values": {key: float(value) for key, value in values.items()},
        # Mean block lengths of the stationary bootstrap by the package arch.
        "blockLengths": {
            "returns": float(optimal_block_length(own)["stationary"].iloc[0]),
            "trades": float(optimal_block_length(net)["stationary"].iloc[0]),
            "autoregressive": float(optimal_block_length(np.array(ar))["stationary"].iloc[0]),
        },
        "normal": [[x, float(stats.norm.cdf(x))] for x in (-38.0, -8.5, -3.0001, -2.9999, -1.5, -0.1, 0.0, 0.7, 2.3, 4.0, 7.9)],
        "quantiles": [[p, float(stats.norm.ppf(p))] for p in (1e-300, 1e-12, 0.001, 0.025, 0.3, 0.5, 0.7, 0.95, 0.999999)],
    }
    with open(os.path.join(HERE, "metrics.json"), "w", encoding="utf-8") as file:
        json.dump(golden, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
