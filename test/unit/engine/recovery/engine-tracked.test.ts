import { describe, expect, test } from 'vitest';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import { track } from '../../../../src/engine/strategy/definition/tracked.ts';
import type { StrategyHandlers } from '../../../../src/engine/strategy/definition/types.ts';
import { ema, sma } from '../../../../src/indicators/table/averages-rows.ts';
import { atr } from '../../../../src/indicators/table/volatility-rows.ts';
import { param } from '../../../../src/engine/strategy/definition/params.ts';
import { btc, pushedRig, rig, START } from '../../../support/engine/engine-kit.ts';

const MINUTE = 60_000;
const HOUR = Math.ceil(START / 3_600_000) * 3_600_000;

function trades(r: ReturnType<typeof rig>, from: number, count: number): void {
  for (let k = 0; k < count; k++) {
    r.advance(from + k * MINUTE - r.clock.time);
    r.kernel.inbox.onTrade(0, 10_000 + 10 * k, 1, 0);
  }
}

describe('indicators that the engine feeds', () => {
  test('the strategy starts when all have a value; they are up to date before onBar', () => {
    const average = track('1m', () => sma(3));
    const range = track('60s', () => atr(5));
    const seen: number[][] = [];
    const r = pushedRig({
      needs: { indicators: [average, range] },
      onBar: (bar, market) => seen.push([bar.close, average.of(market).value, range.of(market).isReady ? 1 : 0]),
    });
    trades(r, HOUR, 9);
    expect(r.kernel.status().strategies[0]!.warmingUp).toBe('');
    // The first bar is left out: when it began is not known.
    expect(seen).toEqual([
      [1006, 1005, 1],
      [1007, 1006, 1],
    ]);
  });

  test('history feeds them, also the bars beyond those that are waited for', () => {
    const slow = track('1m', () => ema(4));
    const r = rig({ needs: { indicators: [slow] }, onStart: () => undefined });
    r.clock.time = HOUR + 30_000;
    expect(r.kernel.barsWanted).toMatchObject([{ count: 20 }]);
    const rows = Array.from({ length: 20 }, (_, k) => [HOUR - (20 - k) * MINUTE, 1, 1, 1, 1000 + k, 1] as const);
    r.kernel.inbox.history(0, '1m', rows, HOUR);
    r.kernel.inbox.start();
    const plain = ema(4);
    for (const row of rows) plain.update(row[4]);
    expect(slow.of(r.ctx().markets[0]!).value).toBe(plain.value);
  });

  test('a parameter that is set makes new ones, fed with the bars that exist', () => {
    const strategy = defineStrategy({
      name: 'tracking',
      params: { n: param.integer(3, { min: 1, max: 100, doc: 'Period.' }) },
      create({ n }): StrategyHandlers {
        const average = track('1m', () => sma(n));
        return { needs: { bars: { '1m': 6 }, indicators: [average] }, onBar: (_bar, market) => void values.push(average.of(market).value) };
      },
    });
    const values: number[] = [];
    const r = rig({}, { strategies: [{ strategy, instruments: [0] }], instruments: [btc()] });
    r.kernel.inbox.start();
    trades(r, HOUR, 8);
    expect(values.at(-1)).toBe(1005);
    const result = r.kernel.inbox.operate({ name: 'set', strategy: 'tracking', param: 'n', value: '6', by: 'ann', why: '' } as never);
    expect(result).toMatchObject({ ok: true });
    trades(r, HOUR + 8 * MINUTE, 1);
    expect(values.at(-1)).toBeCloseTo((1002 + 1003 + 1004 + 1005 + 1006 + 1007) / 6, 9);
  });

  test('one that is not declared is refused with what to do', () => {
    const lost = track('1h', () => sma(3));
    const r = pushedRig({ onQuote: () => undefined });
    expect(() => lost.of(r.ctx().markets[0]!)).toThrow(/BTCUSDT has no 1h indicator here: name what `track` gave in needs.indicators/);
    const strategy = defineStrategy({ name: 'wrong', create: () => ({ needs: { indicators: [sma(3)] } }) as never });
    expect(() => strategy.create({}, [])).toThrow(/needs.indicators is a list of what `track` gave/);
  });
});
