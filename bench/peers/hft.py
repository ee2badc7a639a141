"""W1 and W2 of bench/workload.ts for hftbacktest: python hft.py w1|w2 COLUMNS PASSES [FILLS].

COLUMNS is a folder that bench/peers/columns.ts wrote. Prints one JSON line a pass: rows, ms (processor time of the thread), fills, commands.
The first pass compiles. FILLS gets time and signed price in ticks of each fill of W1, as doubles.
"""
import json
import sys
import time

import numpy as np
from hftbacktest import (
    BUY,
    BUY_EVENT,
    DEPTH_EVENT,
    EXCH_EVENT,
    GTC,
    GTX,
    LIMIT,
    LOCAL_EVENT,
    SELL_EVENT,
    TRADE_EVENT,
    BacktestAsset,
    HashMapMarketDepthBacktest,
)
from hftbacktest.types import event_dtype
from numba import njit

TICK = 0.1
LOT = 0.001
NS = 1_000_000
LATENCY_MS = {"w1": 0, "w2": 20}
FEED = 2
BOTH = EXCH_EVENT | LOCAL_EVENT


def column(folder, name, kind):
    return np.fromfile(f"{folder}/{name}", dtype=kind)


def times(folder):
    """Nanoseconds. Rows of one millisecond follow each other by 10 ns, so that an order without latency comes between two of them."""
    ms = column(folder, "time", np.float64).astype(np.int64)
    first = np.maximum.accumulate(np.where(np.diff(ms, prepend=ms[0] - 1) > 0, np.arange(len(ms)), 0))
    return ms * NS + (np.arange(len(ms)) - first) * 10


def events_w1(folder):
    """One trade a row. The aggressor is the side that moved the price, so that a limit order fills at the first trade at its price."""
    price = column(folder, "a", np.int32)
    step = np.sign(np.diff(price, prepend=price[0]))
    last = np.maximum.accumulate(np.where(step != 0, np.arange(len(step)), 0))
    rows = np.zeros(len(price), event_dtype)
    rows["ev"] = BOTH | TRADE_EVENT | np.where(step[last] < 0, SELL_EVENT, BUY_EVENT)
    rows["exch_ts"] = rows["local_ts"] = times(folder)
    rows["px"] = price / 10
    rows["qty"] = column(folder, "c", np.int32) / 1000
    return rows


def events_w2(folder):
    """A trade is one row. A book ticker is two rows, and two more that empty the levels of the one before if they moved."""
    is_trade = column(folder, "kind", np.uint8) == 1
    at = times(folder)
    a, b, c, d = (column(folder, name, np.int32) for name in "abcd")
    quotes = np.flatnonzero(~is_trade)
    count = np.where(is_trade, 1, 4)
    end = np.cumsum(count)
    rows = np.zeros(end[-1], event_dtype)
    start = end - count
    trades = np.flatnonzero(is_trade)
    t = start[trades]
    rows["ev"][t] = BOTH | TRADE_EVENT | np.where(b[trades] == 0, BUY_EVENT, SELL_EVENT)
    rows["px"][t] = a[trades] / 10
    rows["qty"][t] = c[trades] / 1000
    q = start[quotes]
    before = np.maximum(np.arange(len(quotes)) - 1, 0)
    for k, (side, column_of, size) in enumerate(
        [(BUY_EVENT, a, 0), (SELL_EVENT, b, 0), (BUY_EVENT, a, c), (SELL_EVENT, b, d)]
    ):
        which = quotes if k >= 2 else quotes[before]
        rows["ev"][q + k] = BOTH | DEPTH_EVENT | side
        rows["px"][q + k] = column_of[which] / 10
        rows["qty"][q + k] = size[quotes] / 1000 if k >= 2 else 0
    rows["exch_ts"] = rows["local_ts"] = np.repeat(at, count)
    # Levels that are set again at once need not be emptied.
    keep = np.ones(len(rows), bool)
    keep[q] = a[quotes] != a[quotes[before]]
    keep[q + 1] = b[quotes] != b[quotes[before]]
    keep[q[0]] = keep[q[0] + 1] = False
    return rows[keep]


@njit
def w1(hbt, fills):
    ring = np.zeros(256)
    fast = 0.0
    slow = 0.0
    seen = 0
    above = 0
    resting = 0
    price_of = 0
    commands = 0
    count = 0
    position = 0.0
    while hbt.wait_next_feed(False, 1_000_000_000_000_000) == FEED:
        now_at = hbt.current_timestamp
        held = hbt.position(0)
        if held != position:
            fills[count, 0] = now_at // NS
            fills[count, 1] = price_of if held > position else -price_of
            count += 1
            position = held
            resting = 0
        trades = hbt.last_trades(0)
        for k in range(len(trades)):
            price = trades[k].px
            fast = fast + price - (ring[(seen - 50) & 255] if seen >= 50 else 0.0)
            slow = slow + price - (ring[(seen - 200) & 255] if seen >= 200 else 0.0)
            ring[seen & 255] = price
            seen += 1
            if seen < 200:
                continue
            now = 1 if fast * 4 > slow else -1
            if now == above:
                continue
            if above != 0:
                if resting != 0:
                    hbt.cancel(0, resting, False)
                    commands += 1
                    hbt.clear_inactive_orders(0)
                resting = seen
                price_of = round(price / TICK) - now
                if now > 0:
                    hbt.submit_buy_order(0, resting, price_of * TICK, LOT, GTC, LIMIT, False)
                else:
                    hbt.submit_sell_order(0, resting, price_of * TICK, LOT, GTC, LIMIT, False)
                commands += 1
            above = now
        hbt.clear_last_trades(0)
    return count, commands


@njit
def w2(hbt, fills):
    """On every book ticker both quotes are cancelled and placed again at the touch, unless they are there."""
    number = 0
    commands = 0
    size = 10 * LOT
    bid = 0
    ask = 0
    while hbt.wait_next_feed(False, 1_000_000_000_000_000) == FEED:
        depth = hbt.depth(0)
        if depth.best_bid_tick == bid and depth.best_ask_tick == ask and len(hbt.orders(0)) == 2:
            continue
        bid = depth.best_bid_tick
        ask = depth.best_ask_tick
        hbt.clear_inactive_orders(0)
        has_bid = False
        has_ask = False
        orders = hbt.orders(0).values()
        while orders.has_next():
            order = orders.get()
            touch = bid if order.side == BUY else ask
            if order.price_tick == touch:
                if order.side == BUY:
                    has_bid = True
                else:
                    has_ask = True
            elif order.cancellable:
                hbt.cancel(0, order.order_id, False)
                commands += 1
        if not has_bid:
            number += 1
            commands += 1
            hbt.submit_buy_order(0, number, bid * TICK, size, GTX, LIMIT, False)
        if not has_ask:
            number += 1
            commands += 1
            hbt.submit_sell_order(0, number, ask * TICK, size, GTX, LIMIT, False)
    return hbt.state_values(0).num_trades, commands


def backtest(name, events):
    latency = LATENCY_MS[name] * NS
    asset = (
        BacktestAsset()
        .data(events)
        .linear_asset(1.0)
        .constant_order_latency(latency, latency)
        .risk_adverse_queue_model()
        .no_partial_fill_exchange()
        .trading_value_fee_model(0.0002, 0.0005)
        .tick_size(TICK)
        .lot_size(LOT)
        .last_trades_capacity(64 if name == "w1" else 0)
    )
    return HashMapMarketDepthBacktest([asset])


def main(name, folder, passes, out=None):
    events = events_w1(folder) if name == "w1" else events_w2(folder)
    rows = len(column(folder, "time", np.float64))
    fills = np.zeros((rows // 8 if name == "w1" else 1, 2))
    run = w1 if name == "w1" else w2
    for _ in range(passes):
        hbt = backtest(name, events)
        started = time.thread_time()
        count, commands = run(hbt, fills)
        ms = (time.thread_time() - started) * 1000
        hbt.close()
        print(json.dumps({"rows": rows, "ms": ms, "fills": int(count), "commands": int(commands)}), flush=True)
    if out is not None:
        fills[:count].tofile(out)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:5])
