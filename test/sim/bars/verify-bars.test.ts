/** `verify` on bars: honest strategies pass, drawn prices do not, and another future redraws the bar that has not ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadMarket } from '../../../src/run/backtest/trials.ts';
import { withOtherFuture } from '../../../src/run/verify/changed-market.ts';
import { CHECKS } from '../../../src/run/verify/checks.ts';
import type { Finding } from '../../../src/run/verify/check.ts';
import { Subject, type VerifyOptions } from '../../../src/run/verify/verified-strategy.ts';
import { configWith } from '../../support/backtest/reference-backtest.ts';
import { NOISE_START, noiseBars, writeNoise } from '../../support/tape/noise-bars.ts';

const HOUR = 3_600_000;
const BARS = noiseBars(7, 200, 900);
let folder = '';
const tape = (): string => join(folder, 'tape');
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-bars-'));
  writeNoise(tape(), BARS, HOUR, 1_000_000);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function found(check: string, name: string, given: Partial<VerifyOptions> = {}): Promise<Finding> {
  const options: VerifyOptions = {
    tape: tape(),
    moments: 6,
    strategies: [{ file: resolve('strategies', `${name}.ts`), params: {}, symbols: [] }],
    config: configWith(),
    everyTick: false,
    speed: 1,
    seed: 1,
    ...given,
  };
  return CHECKS.find((one) => one.name === check)!.of(await Subject.open(options));
}

test.each(['ema-cross', 'rsi-atr', 'breakout', 'grid'])('%s knows nothing of what comes', async (name) => {
  expect(await found('look-ahead', name)).toMatchObject({ verdict: 'passed', tries: 6 });
});

test('what was drawn inside bars is no evidence', async () => {
  const finding = await found('look-ahead', 'rsi-atr', { insideBars: true });
  expect(finding).toMatchObject({ verdict: 'failed', text: expect.stringMatching(/drawn inside bars, no evidence/) as string });
});

test('a latency changes nothing on bars, so it is not tried', async () => {
  expect(await found('1 ms', 'rsi-atr')).toMatchObject({ verdict: 'not tried', text: expect.stringMatching(/next bar/) as string });
});

describe('another future', () => {
  const rowsAt = (time: number): { given: readonly number[][]; changed: readonly number[][] } => {
    const market = loadMarket(tape(), configWith());
    const [given, changed] = [market, withOtherFuture(market, time)].map(({ rows }) => {
      const { columns } = rows.streams[0]!.blocks[0]!;
      return Array.from({ length: BARS.length }, (_, k) => columns.map((values) => values[k]!));
    });
    return { given: given!, changed: changed! };
  };

  test.each([
    ['inside a bar', 100 * HOUR + 1234, 100],
    ['a millisecond before its end', 101 * HOUR - 1, 100],
    ['at its end', 101 * HOUR, 101],
    ['a millisecond into the first', 1, 0],
  ])('%s: that bar and all later ones are others, each move the other way', (_, after, first) => {
    const { given, changed } = rowsAt(NOISE_START + after);
    expect(changed.slice(0, first)).toEqual(given.slice(0, first));
    const last = first === 0 ? given[0]![3]! : given[first - 1]![3]!;
    for (const [k, [open, high, low, close, volume]] of changed.entries()) {
      const was = given[k]!;
      if (k < first) continue;
      for (const [at, price] of [open!, high!, low!, close!].entries()) expect(price).not.toBe(was[at]);
      expect([low! <= Math.min(open!, close!), high! >= Math.max(open!, close!), volume]).toEqual([true, true, was[4]! + 1]);
      if (was[3] !== last) expect(close! < last).toBe(was[3]! > last);
      if (was[3] !== was[0]) expect(close! < open!).toBe(was[3]! > was[0]!);
    }
  });
});

test('an indicator whose history starts over after a restart is named as that, and ctx.state is not advised', async () => {
  const finding = await found('restart', 'ema-cross');
  expect(finding.verdict).toBe('warned');
  expect(finding.text).toMatch(/from 20\S+Z on it decides the same again, so what differs is history .*an indicator: .*needs\.indicators/);
  expect(finding.text).not.toContain('ctx.state');
});
