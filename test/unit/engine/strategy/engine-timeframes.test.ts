import { describe, expect, test } from 'vitest';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { StrategyHandlers } from '../../../../src/engine/strategy/definition/types.ts';
import { btc, polledRig, pushedRig, rig, settleReads, START } from '../../../support/engine/engine-kit.ts';

const MINUTE = 60_000;
/** A whole hour of venue time. */
const HOUR = Math.ceil(START / 3_600_000) * 3_600_000;

function trades(r: ReturnType<typeof rig>, from: number, count: number, everyMs: number, instrument = 0): void {
  for (let k = 0; k < count; k++) {
    r.advance(from + k * everyMs - r.clock.time);
    r.kernel.inbox.onTrade(instrument, 10_000 + (k % 10), 1, 0);
  }
}

describe('several timeframes', () => {
  test('of bars that end together the longest comes first, and market.bars has each of them', () => {
    const seen: string[] = [];
    const r = pushedRig({
      needs: { bars: { '1m': 3, '5m': 0 } },
      onBar(bar, market) {
        seen.push(`${bar.timeframe} ${(bar.end - HOUR) / MINUTE} ${market.bars('1m').length}/${market.bars('300s').length}`);
      },
    });
    trades(r, HOUR - 1000, 1 + 2 * 10 + 2, 30_000);
    expect(seen.slice(-4)).toEqual(['1m 8 3/1', '1m 9 3/1', '5m 10 3/1', '1m 10 3/1']);
  });

  test('an undeclared timeframe is refused with those that exist', () => {
    let message = '';
    const r = pushedRig({
      needs: { bars: { '1m': 0 } },
      onQuote(market) {
        try {
          market.bars('2h');
        } catch (error) {
          message = String(error);
        }
      },
    });
    r.kernel.inbox.onQuote(0, 10_001, 1, 10_002, 1);
    expect(message).toMatch(/BTCUSDT has no bars of 2h: name them in needs.bars; there are 1m/);
  });

  test.each([
    [
      { onCandle: () => undefined },
      /there is no handler "onCandle".*handlers are onStart, .*onBar, onBars.*onStop.*; create may also return needs, barMs, schedule$/,
    ],
    [{ needs: { bars: { '1 minute': 3 } } }, /a timeframe is a time such as "1s".*found "1 minute"/],
    [{ needs: { bars: { '1m': -1 } } }, /needs.bars of 1m is the number of bars.*found -1/],
    [{ needs: { bars: { '1m': 1, '60s': 2 } } }, /names 1m twice/],
    [{ needs: { bars: { '1m': 1 } }, barMs: 1000 }, /barMs and needs are both given/],
    [{ needs: { bars: 200 } }, /needs.bars maps timeframes to numbers of bars/],
    [{ needs: { bars: null } }, /needs.bars maps timeframes to numbers of bars/],
    [{ needs: { candles: 1 } }, /needs has no field "candles"/],
    [{ needs: { bars: { '1m': 1 }, emptyBars: 'none' } }, /needs.emptyBars is 'fill' or 'skip'/],
    [{ onBars: (): void => {} }, /onBars needs its timeframes/],
    [{ needs: { bars: { 'tick:5': 1 } }, onBars: (): void => {} }, /onBars needs time bars/],
  ])('%o is refused', (handlers, message) => {
    const strategy = defineStrategy({ name: 'wrong', create: () => handlers as StrategyHandlers });
    expect(() => strategy.create({}, [])).toThrow(message);
  });

  test('barMs takes several periods', () => {
    const seen: string[] = [];
    const r = pushedRig({ barMs: [1000, 2000], onBar: (bar) => seen.push(bar.timeframe) });
    trades(r, HOUR, 5, 1000);
    expect(seen).toEqual(['1s', '2s', '1s', '1s', '2s', '1s']);
  });
});

describe('warm-up', () => {
  test('no handler is called before enough bars exist; then onStart comes first, with the bar that completed them', () => {
    const calls: string[] = [];
    const r = pushedRig({
      needs: { bars: { '1m': 3 } },
      onStart: (ctx) => calls.push(`start ${ctx.markets[0]!.bars('1m').length}`),
      onQuote: () => calls.push('quote'),
      onTrade: () => calls.push('trade'),
      onBar: (bar) => calls.push(`bar ${(bar.end - HOUR) / MINUTE}`),
      onTimer: () => calls.push('timer'),
    });
    trades(r, HOUR - 1000, 4, MINUTE);
    expect(calls).toEqual([]);
    expect(r.kernel.status().strategies[0]!.warmingUp).toBe('2 of 3 1m bars of BTCUSDT');
    expect(r.log.lines.find(({ event }) => event === 'warming-up')?.fields).toMatchObject({ bars: '0 of 3 1m bars of BTCUSDT' });
    r.advance(HOUR + 3 * MINUTE - r.clock.time);
    r.kernel.inbox.onTrade(0, 10_000, 1, 0);
    expect(calls).toEqual(['start 3', 'bar 3', 'trade']);
    r.kernel.inbox.onQuote(0, 10_001, 1, 10_002, 1);
    expect(calls.at(-1)).toBe('quote');
    expect(r.kernel.status().strategies[0]!.warmingUp).toBe('');
  });

  test('history makes a strategy warm at its start, and its last open bar is continued', () => {
    const starts: number[][] = [];
    const bars: unknown[] = [];
    const r = rig({
      needs: { bars: { '1m': 3 } },
      onStart: (ctx) => starts.push([...ctx.markets[0]!.bars('1m').close]),
      onBar: (bar) => bars.push({ ...bar }),
    });
    r.clock.time = HOUR + 30_000;
    const rows = [4, 3, 2, 1, 0].map((k) => [HOUR - k * MINUTE, 1000, 1001, 999, 1000 + k / 10, 0.005] as const);
    expect(r.kernel.barsWanted).toMatchObject([{ count: 3, isFilling: true }]);
    r.kernel.inbox.history(0, '1m', rows, HOUR + 30_000);
    expect(starts).toEqual([]);
    r.kernel.inbox.start();
    expect(starts).toEqual([[1000.3, 1000.2, 1000.1]]);
    trades(r, HOUR + 40_000, 2, 30_000);
    expect(bars).toMatchObject([{ start: HOUR, open: 1000, high: 1001, close: 1000, volume: 0.006, hasGap: false }]);
  });

  test('a polled bot polls trades for declared bars, and save is not asked before the start', () => {
    let saves = 0;
    const r = polledRig({
      needs: { bars: { '1m': 2 } },
      save: () => {
        saves++;
        return '{}';
      },
    });
    expect(r.kernel.plan!.text).toContain('trades');
    r.kernel.snapshot();
    expect(saves).toBe(0);
    settleReads(r, [], []);
  });
});

describe('bars of all markets together', () => {
  test('onBars is called once every market has its bar of the period', () => {
    const slices: string[] = [];
    const r = pushedRig(
      {
        needs: { bars: { '1m': 0 } },
        onBars(slice, ctx): void {
          const closes = ctx.markets.map((market) => slice.bar(market).close);
          slices.push(`${(slice.end - HOUR) / MINUTE}: ${closes.join(' ')}`);
        },
      },
      { instruments: [btc(), btc(1, 'ETHUSDT')] },
    );
    trades(r, HOUR - 1000, 3, MINUTE);
    expect(slices).toEqual([]);
    r.kernel.inbox.onTrade(1, 20_000, 1, 0);
    r.advance(HOUR + 3 * MINUTE + 2000 - r.clock.time);
    expect(slices).toEqual(['3: 1000.2 2000']);
  });
});
