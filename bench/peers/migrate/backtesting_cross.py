"""The strategy of docs/migrate/backtesting-py.md: python backtesting_cross.py HOURS.csv prints trades and net profit as JSON."""
import json
import sys
import warnings

import pandas as pd
from backtesting import Backtest, Strategy
from backtesting.lib import crossover

warnings.filterwarnings("ignore")


class SmaCross(Strategy):
    def init(self):
        close = self.data.Close.s
        self.quick = self.I(lambda: close.rolling(10).mean())
        self.calm = self.I(lambda: close.rolling(30).mean())

    def next(self):
        if crossover(self.quick, self.calm):
            self.buy(size=1, sl=self.data.Close[-1] * 0.98)
        elif crossover(self.calm, self.quick):
            self.position.close()


bars = pd.read_csv(sys.argv[1])
bars.index = pd.to_datetime(bars["ts"], unit="ms")
bars = bars[["open", "high", "low", "close", "volume"]].rename(columns=str.capitalize)
stats = Backtest(bars, SmaCross, cash=1_000_000, commission=0.0006, finalize_trades=True).run()
# Its sizes are whole units: a tenth of one bitcoin earns a tenth.
print(json.dumps({"trades": len(stats._trades), "net": float(stats._trades.PnL.sum()) / 10}))
