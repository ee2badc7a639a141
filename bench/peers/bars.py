"""An EMA cross on bars: python bars.py vectorbt|backtesting CSV PASSES prints one JSON line a pass: rows, ms (processor time), fills.

CSV is what `tickwright tape export` writes. A pass has other periods than the one before. Both take every order at the close of its bar,
whole and without fees, and know no venue: no spread, no margin, no funding, no liquidation.
"""
import json
import sys
import time
import warnings

import pandas as pd

warnings.filterwarnings("ignore")
CASH = 1e9


def bars_of(file):
    rows = pd.read_csv(file)
    rows.index = pd.to_datetime(rows["ts"], unit="ms")
    names = ["open", "high", "low", "close"]
    return rows[names].rename(columns=str.capitalize)


def vectorbt_pass(bars, fast, slow):
    import vectorbt as vbt

    close = bars["Close"]
    quick = vbt.MA.run(close, fast, ewm=True).ma
    calm = vbt.MA.run(close, slow, ewm=True).ma
    up = quick > calm
    portfolio = vbt.Portfolio.from_signals(close, entries=up, short_entries=~up, size=0.01, init_cash=CASH)
    return int(portfolio.orders.count())


def backtesting_pass(bars, fast, slow):
    from backtesting import Backtest, Strategy, backtesting

    backtesting._tqdm = lambda steps, **_: steps

    class Cross(Strategy):
        def init(self):
            close = self.data.Close.s
            self.quick = self.I(lambda: close.ewm(span=fast, adjust=False).mean())
            self.calm = self.I(lambda: close.ewm(span=slow, adjust=False).mean())

        def next(self):
            if self.quick[-1] > self.calm[-1]:
                if not self.position.is_long:
                    self.position.close()
                    self.buy(size=1)
            elif not self.position.is_short:
                self.position.close()
                self.sell(size=1)

    stats = Backtest(bars, Cross, cash=CASH, trade_on_close=True, finalize_trades=True).run()
    return 2 * int(stats["# Trades"])


def main(peer, file, passes):
    bars = bars_of(file)
    run = vectorbt_pass if peer == "vectorbt" else backtesting_pass
    for k in range(passes):
        started = time.process_time()
        fills = run(bars, 5 + k % 10, 20 + k % 37)
        ms = (time.process_time() - started) * 1000
        print(json.dumps({"rows": len(bars), "ms": ms, "fills": fills}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
