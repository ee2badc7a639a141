"""python freqtrade_run.py HOURS.csv FOLDER: freqtrade's backtest of freqtrade_cross.py in an empty folder, without an exchange.

freqtrade asks the exchange for its markets even in a backtest. Here it gets the one market of the tape: tick 0.1, lot 0.001, fee 0.06 %.
"""
import json
import pathlib
import sys
from unittest.mock import patch

import pandas as pd
from freqtrade.enums import CandleType, RunMode
from freqtrade.exchange import Exchange
from freqtrade.optimize.backtesting import Backtesting

folder = pathlib.Path(sys.argv[2])
frame = pd.read_csv(sys.argv[1]).rename(columns={"ts": "date"})[["date", "open", "high", "low", "close", "volume"]]
frame["date"] = pd.to_datetime(frame["date"], unit="ms", utc=True)
frame.to_feather(folder / "BTC_USDT-1h.feather")

NO_BOUND = {"min": None, "max": None}
MARKET = {
    "id": "BTCUSDT",
    "symbol": "BTC/USDT",
    "base": "BTC",
    "quote": "USDT",
    "active": True,
    "type": "spot",
    "spot": True,
    "margin": False,
    "swap": False,
    "future": False,
    "linear": None,
    "contractSize": None,
    "maker": 0.0006,
    "taker": 0.0006,
    "precision": {"price": 0.1, "amount": 0.001},
    "limits": {"amount": {"min": 0.001, "max": 1000}, "price": NO_BOUND, "cost": {"min": 5, "max": None}, "leverage": NO_BOUND},
    "info": {},
}
PRICES = {"price_side": "same", "use_order_book": False}
CONFIG = {
    "bot_name": "migrate",
    "runmode": RunMode.BACKTEST,
    "trading_mode": "spot",
    "margin_mode": "",
    "candle_type_def": CandleType.SPOT,
    "stake_currency": "USDT",
    "stake_amount": 5000,
    "max_open_trades": 1,
    "dry_run": True,
    "dry_run_wallet": 100_000,
    "fee": 0.0006,
    "timeframe": "1h",
    "timerange": None,
    "exchange": {"name": "binance", "pair_whitelist": ["BTC/USDT"], "pair_blacklist": []},
    "pairlists": [{"method": "StaticPairList"}],
    "entry_pricing": PRICES,
    "exit_pricing": PRICES,
    "strategy": "SmaCross",
    "strategy_path": str(pathlib.Path(__file__).parent),
    "user_data_dir": folder,
    "datadir": folder,
    "dataformat_ohlcv": "feather",
    "export": "none",
    "exportfilename": folder / "result.json",
    "backtest_cache": "none",
    "enable_protections": False,
    "cancel_open_orders_on_exit": False,
    "internals": {},
    "original_config": {},
}


def only_this_market(self, *_args, **_kwargs):
    self._markets = {"BTC/USDT": MARKET}


with (
    patch.object(Exchange, "reload_markets", only_this_market),
    patch.object(Exchange, "validate_config", lambda *_args, **_kwargs: None),
    patch.object(Exchange, "validate_timeframes", lambda *_args, **_kwargs: None),
):
    backtesting = Backtesting(CONFIG)
    backtesting.start()
result = backtesting.results["strategy"]["SmaCross"]
print(json.dumps({"trades": int(result["total_trades"]), "net": float(result["profit_total_abs"])}))
