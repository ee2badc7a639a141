"""Writes test/golden/report-series.json: rolling figures, returns of weeks, months and years, and drawdowns of the run of metrics.py, by other
programs. The test needs no Python.

    python3 -m venv venv && venv/bin/pip install empyrical-reloaded==0.7.1 quantstats==0.0.86 arch==8.0.0
    venv/bin/python test/golden/report-series.py
"""

import json
import os

import empyrical as ep
import numpy as np
import pandas as pd
import quantstats.stats as qs

from metrics import DAYS, HERE, YEAR, made

WINDOW = 80
DEEPEST = 10


def column(series):
    """Null before the first whole window. quantstats leaves those out."""
    values = pd.Series(series).dropna().to_numpy()
    assert len(values) == DAYS - WINDOW + 1, len(values)
    return [float(value) for value in values]


def main():
    own, market, _, _ = made()
    dates = pd.date_range("2024-01-01", periods=DAYS, freq="D")
    r, b = pd.Series(own, dates), pd.Series(market, dates)
    rolling = {
        "sharpe": qs.rolling_sharpe(r, rolling_period=WINDOW, annualize=True, periods_per_year=YEAR, prepare_returns=False),
        "sortino": qs.rolling_sortino(r, rolling_period=WINDOW, annualize=True, periods_per_year=YEAR),
        "volatility": qs.rolling_volatility(r, rolling_period=WINDOW, periods_per_year=YEAR, prepare_returns=False),
        "holdVolatility": qs.rolling_volatility(b, rolling_period=WINDOW, periods_per_year=YEAR, prepare_returns=False),
        "beta": qs.rolling_greeks(r, b, periods=WINDOW, prepare_returns=False)["beta"],
    }
    # empyrical puts the days of an ISO week that crosses a year into one week with those of the year before, so weeks are those of pandas.
    calendar = {
        "week": [[float(x) for x in series.resample("W-SUN").apply(ep.cum_returns_final)] for series in (r, b)],
        **{name: [[float(x) for x in ep.aggregate_returns(series, f"{name}ly")] for series in (r, b)] for name in ("month", "year")},
    }
    # quantstats begins a drawdown at the first day below the peak, and ends it at the last one; its depth is in percent.
    details = qs.drawdown_details(qs.to_drawdown_series(r)).sort_values("max drawdown").head(DEEPEST)
    falls = [[str(row["start"])[:10], str(row["valley"])[:10], str(row["end"])[:10], -row["max drawdown"] / 100] for _, row in details.iterrows()]
    golden = {
        "window": WINDOW,
        "rolling": {key: column(series) for key, series in rolling.items()},
        "calendar": calendar,
        "drawdowns": falls,
        "histogram": [int(n) for n in np.histogram(own, bins=np.arange(-12, 14) * 0.005)[0]],
    }
    with open(os.path.join(HERE, "report-series.json"), "w", encoding="utf-8") as file:
        json.dump(golden, file, indent=1)
        file.write("\n")


main()
