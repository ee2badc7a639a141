"""
@pyne
"""
from pynecore.lib import close, script, strategy, ta


@script.strategy(
    "SMA cross",
    overlay=True,
    initial_capital=100000,
    default_qty_type=strategy.fixed,
    default_qty_value=0.1,
    commission_type=strategy.commission.percent,
    commission_value=0.06,
)
def main():
    quick = ta.sma(close, 10)
    calm = ta.sma(close, 30)
    if ta.crossover(quick, calm):
        strategy.entry("long", strategy.long)
        strategy.exit("stop", "long", stop=close * 0.98)
    if ta.crossunder(quick, calm):
        strategy.close("long")


if __name__ == "__main__":
    from pynecore.standalone import run

    run(__file__)
