"""The strategy of docs/migrate/jesse.md: python jesse_cross.py MINUTES.csv prints trades and net profit as JSON."""
import json
import sys

import jesse.indicators as ta
import pandas as pd
from jesse import research
from jesse.strategies import Strategy


class SmaCross(Strategy):
    @property
    def quick(self):
        return ta.sma(self.candles, 10, sequential=True)

    @property
    def calm(self):
        return ta.sma(self.candles, 30, sequential=True)

    def crossed(self, a, b):
        return len(a) > 1 and a[-2] <= b[-2] and a[-1] > b[-1]

    def should_long(self):
        return self.crossed(self.quick, self.calm)

    def go_long(self):
        self.buy = 0.1, self.price
        self.stop_loss = 0.1, self.price * 0.98

    def update_position(self):
        if self.crossed(self.calm, self.quick):
            self.liquidate()

    def should_cancel_entry(self):
        return True


rows = pd.read_csv(sys.argv[1])
candles = rows[["ts", "open", "close", "high", "low", "volume"]].to_numpy(dtype=float)
config = {
    "starting_balance": 100_000,
    "fee": 0.0006,
    "type": "futures",
    "futures_leverage": 20,
    "futures_leverage_mode": "cross",
    "exchange": "Sandbox",
    "warm_up_candles": 0,
}
routes = [{"exchange": "Sandbox", "strategy": SmaCross, "symbol": "BTC-USDT", "timeframe": "1h"}]
market = {"Sandbox-BTC-USDT": {"exchange": "Sandbox", "symbol": "BTC-USDT", "candles": candles}}
metrics = research.backtest(config, routes, [], market)["metrics"]
print(json.dumps({"trades": int(metrics["total"]), "net": float(metrics["net_profit"])}))
