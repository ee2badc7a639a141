"""The strategy of docs/migrate/freqtrade.md. freqtrade_run.py runs it."""
import freqtrade.vendor.qtpylib.indicators as qtpylib
import talib.abstract as ta
from freqtrade.strategy import IStrategy


class SmaCross(IStrategy):
    timeframe = "1h"
    startup_candle_count = 30
    minimal_roi = {}
    stoploss = -0.02

    def populate_indicators(self, dataframe, metadata):
        dataframe["quick"] = ta.SMA(dataframe, timeperiod=10)
        dataframe["calm"] = ta.SMA(dataframe, timeperiod=30)
        return dataframe

    def populate_entry_trend(self, dataframe, metadata):
        dataframe.loc[qtpylib.crossed_above(dataframe["quick"], dataframe["calm"]), "enter_long"] = 1
        return dataframe

    def populate_exit_trend(self, dataframe, metadata):
        dataframe.loc[qtpylib.crossed_below(dataframe["quick"], dataframe["calm"]), "exit_long"] = 1
        return dataframe
