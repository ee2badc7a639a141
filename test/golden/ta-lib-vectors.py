"""Writes test/golden/ta-lib.json and ta-lib-patterns.json: what TA-Lib says of the sample bars. The tests need no Python.

    python3 -m venv venv && venv/bin/pip install TA-Lib==0.8.2 numpy
    venv/bin/python test/golden/ta-lib-vectors.py

The bars are those of src/indicators/core/sample.ts, made by the same integers. Numbers have 12 digits. Of the first parameters every
value is kept, of further ones every seventh. Patterns run over more bars; kept are their hits and a checksum of all values.
"""

import json
import math
import os

import numpy as np
import talib
from talib import abstract

ROWS = 300
PATTERN_ROWS = 25000
HITS = 12
HERE = os.path.dirname(os.path.abspath(__file__))


class Lehmer:
    def __init__(self, seed):
        self.state = seed

    def draw(self, below):
        self.state = self.state * 48271 % 2147483647
        return self.state % below


def sample_bars(count, seed=1):
    random, price, bars = Lehmer(seed), 6400, []
    for index in range(count):
        open_ = price + random.draw(5) - 2
        close = max(1000, open_ + random.draw(97) - 48 + (3 if index // 50 % 2 == 0 else -3))
        high = max(open_, close) + random.draw(40)
        low = min(open_, close) - random.draw(40)
        price = close
        bars.append((open_ / 64, high / 64, low / 64, close / 64, 100 + random.draw(900)))
    return columns(bars)


def pattern_bars(count, seed=1):
    """Bars of few shapes on a coarse grid, and the shapes of rare patterns laid in. As in test/support/tape/pattern-bars.ts."""
    with open(os.path.join(HERE, "pattern-shapes.json")) as file:
        templates = json.load(file)["shapes"]
    random, bars = Lehmer(seed), []
    price = 64000

    def add(open_, body, upper, lower):
        close = open_ + body
        bars.append((open_, max(open_, close) + upper, min(open_, close) - lower, close, 6400))
        return close

    while len(bars) < count:
        if price < 20000:
            price += 40000
        if random.draw(20) == 0:
            shapes = templates[random.draw(len(templates))]
            sign = 1 if random.draw(2) else -1
            for gap, body, upper, lower in shapes:
                open_ = price + sign * (gap + random.draw(3) - 1)
                moved = sign * (body + random.draw(3) - 1)
                price = add(open_, moved, upper if sign > 0 else lower, lower if sign > 0 else upper)
            continue
        shape = random.draw(8)
        body = (0, 0, 1, 2, 4, 16, 24, 40)[random.draw(8)] * (1 if random.draw(2) else -1)
        gap = (0, 0, 0, 1, -1, 10, -10, 30, -30, 5, -5, 0)[random.draw(12)]
        upper = (0, 0, 1, 4, 12, 40)[random.draw(6)] if shape else 0
        lower = (0, 0, 1, 4, 12, 40)[random.draw(6)] if shape else 0
        open_ = price + gap
        if random.draw(4) == 0 and bars:
            open_ = bars[-1][random.draw(4)]
        price = add(open_, body, upper, lower)
    return columns([[value / 64 for value in bar] for bar in bars[:count]])


def columns(bars):
    names = ("open", "high", "low", "close", "volume")
    return {name: np.array([bar[i] for bar in bars], dtype=float) for i, name in enumerate(names)}


BARS = sample_bars(ROWS)
OTHER = sample_bars(ROWS, 2)
PERIODS = 2.0 + np.round(BARS["high"] * 64) % 13

# Further parameters, in TA-Lib's order. Averages are numbers: 0 SMA, 1 EMA, 2 WMA, 3 DEMA, 4 TEMA, 5 TRIMA, 6 KAMA, 7 MAMA, 8 T3, 9 HMA, 10 none, 12 ZLEMA, 13 RMA.
MORE = {
    "MA": [(10, k) for k in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13)] + [(9, 5)],
    "MAVP": [(3, 12, 1), (5, 9, 6)],
    "MACD": [(5, 34, 5)],
    "MACDEXT": [(6, 1, 19, 2, 7, 3), (9, 6, 21, 4, 5, 13), (20, 1, 8, 1, 5, 1)],
    "MACDFIX": [(5,)],
    "APO": [(5, 20, 0), (7, 15, 6)],
    "PPO": [(5, 20, 0), (7, 15, 3)],
    "PVO": [(5, 20, 0)],
    "BBANDS": [(10, 1.5, 2.5, 1), (15, 2.0, 2.0, 8)],
    "STOCH": [(14, 5, 1, 4, 2)],
    "STOCHF": [(14, 4, 1)],
    "STOCHRSI": [(10, 8, 4, 1)],
    "KDJ": [(14, 5, 0, 4, 1)],
    "MAMA": [(0.6, 0.1)],
    "SAR": [(0.05, 0.3)],
    "SAREXT": [(0.0, 0.01, 0.03, 0.02, 0.25, 0.01, 0.04, 0.3), (120.0, 0.0, 0.02, 0.02, 0.2, 0.02, 0.02, 0.2), (-90.0, 0.0, 0.02, 0.02, 0.2, 0.02, 0.02, 0.2)],
    "SUPERTREND": [(7, 1.5)],
    "KC": [(14, 7, 1.5)],
    "ULTOSC": [(4, 9, 17)],
    "ADOSC": [(5, 20)],
    "T3": [(8, 0.5)],
    "STDDEV": [(20, 2.5)],
    "VAR": [(20, 1.0)],
    "PERCENTILE": [(20, 90.0), (15, 0.0), (15, 100.0)],
    "TSI": [(10, 5)],
    "SMI": [(8, 3, 12, 5)],
    "COPPOCK": [(7, 14, 9)],
    "AO": [(3, 20)],
    "AC": [(3, 20, 4)],
    "CVI": [(7, 12)],
    "MASSI": [(5, 12)],
    "RVI": [(8, 6)],
    "FRACTAL": [(1, 1), (3, 1)],
    "HMA": [(9,), (16,)],
}


def inputs_of(name):
    if name in ("BETA", "CORREL", "ADD", "SUB", "MULT", "DIV"):
        return [BARS["close"], OTHER["close"]]
    if name == "MAVP":
        return [BARS["close"], PERIODS]
    if name in talib.get_function_groups()["Math Transform"]:
        return [BARS["close"] / 200]
    found = []
    for key, used in abstract.Function(name).info["input_names"].items():
        found += [BARS[one] for one in ([used] if isinstance(used, str) else used)]
    return found


def number(value):
    return None if math.isnan(value) else float("%.12g" % value)


def more_of(name, defaults):
    if name in MORE:
        return MORE[name]
    if len(defaults) == 1 and isinstance(defaults[0], int) and name != "MACDFIX":
        return [(max(2, defaults[0] // 2),), (defaults[0] + 7,)]
    return []


def vectors():
    found = []
    for name in talib.get_functions():
        if name.startswith("CDL"):
            continue
        function = abstract.Function(name)
        defaults = tuple(function.info["parameters"].values())
        for index, params in enumerate([defaults, *more_of(name, defaults)]):
            outputs = getattr(talib, name)(*inputs_of(name), *params)
            outputs = outputs if isinstance(outputs, tuple) else (outputs,)
            function.parameters = dict(zip(function.info["parameters"], params))
            step = 1 if index == 0 else 7
            kept = [[number(v) for v in out[::step]] for out in outputs]
            found.append({"name": name, "params": params, "lookback": function.lookback, "step": step, "outputs": kept})
    return found


def pattern_vectors(bars):
    found = []
    prices = [bars[key] for key in ("open", "high", "low", "close")]
    for name in talib.get_functions():
        if not name.startswith("CDL"):
            continue
        function = abstract.Function(name)
        defaults = tuple(function.info["parameters"].values())
        for params in [defaults] if not defaults else [defaults, (defaults[0] / 2,)]:
            values = getattr(talib, name)(*prices, *params)
            hits = [[int(i), int(values[i])] for i in np.nonzero(values)[0]]
            checksum = 0
            for at, value in hits:
                checksum = (checksum * 31 + at * 7 + value + 1000) % 1000000007
            assert hits, f"{name} is not in the bars: take more of them"
            found.append({"name": name, "params": params, "lookback": function.lookback, "hits": len(hits), "checksum": checksum, "first": hits[:HITS]})
    return found


def write(name, facts, rows):
    head = json.dumps(facts, separators=(",", ":"))[1:-1]
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    with open(os.path.join(HERE, name), "w") as file:
        file.write("{" + head + ',"vectors":[\n' + lines + "\n]}\n")


if __name__ == "__main__":
    version = {"version": talib.__ta_version__.decode().split()[0], "functions": talib.get_functions()}
    write("ta-lib.json", {**version, "rows": ROWS}, vectors())
    write("ta-lib-patterns.json", {"version": version["version"], "rows": PATTERN_ROWS}, pattern_vectors(pattern_bars(PATTERN_ROWS)))
