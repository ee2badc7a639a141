/**
 * The judge of bars, by the twin: on fine random walks folded into bars the cautious and the other reading lie on either side of what really
 * happened, and nobody earns on noise by the cautious one. More tapes: TICKWRIGHT_BAR_TAPES=100000.
 */
import { describe, expect, test } from 'vitest';
import { BTC, instrumentsOf } from '../../support/sim/sim-kit.ts';
import { judge, type JudgedMarket, type Verdict } from './judge.ts';
import { JUDGED } from './strategies.ts';

const TAPES = Math.max(100, Math.round(Number(process.env['TICKWRIGHT_BAR_TAPES'] ?? 3500) / JUDGED.length));
const SEED = Number(process.env['TICKWRIGHT_SEED'] ?? 1);
const MARKET: JudgedMarket = { instruments: instrumentsOf(BTC), bars: 5, steps: 60, gap: 0, spread: 0 };
const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;
const figure = ({ mean, error }: Verdict['truth']): string => `${mean.toFixed(2)} ± ${error.toFixed(2)}`;

const tell = ({ name, tapes, bars, below, above, outside, truth, worse, better }: Verdict): void =>
  console.info(
    `${name}: ${tapes} tapes; bars outside ${share(below + above, bars)}, tapes ${share(outside, tapes)}; ` +
      `truth ${figure(truth)}, cautious ${figure(worse)}, optimistic ${figure(better)} ticks`,
  );

describe('bars of fine random walks', { timeout: 3_600_000 }, () => {
  test.each(JUDGED)('$name', (strategy) => {
    const verdict = judge(strategy, MARKET, TAPES, SEED);
    tell(verdict);
    const { below, above, bars, truth, worse, better, through } = verdict;
    const most = strategy.isLoose ? 0.02 : 0;
    expect((below + above) / bars, 'bars that end below the cautious reading, or above the optimistic one').toBeLessThanOrEqual(most);
    if (strategy.isSingle) expect(verdict.outside).toBe(0);
    if (strategy.isPlain) expect(Math.abs(worse.z)).toBeLessThan(4);
    expect(worse.mean).toBeLessThanOrEqual(4 * worse.error);
    expect(better.mean + through.mean).toBeGreaterThanOrEqual(-4 * better.error);
    // The walk itself has no drift, but for the tick that each limit gives away.
    expect(Math.abs(truth.mean + through.mean)).toBeLessThan(4 * Math.hypot(truth.error, through.error));
  });

  // An open may jump over a stop entry whose cancel comes too late: then two trades, each with its exits, are in one bar, which the paths do not bound.
  test('where bars open away from the last close, nobody earns by the cautious reading, and hardly a bar ends below it', () => {
    for (const strategy of JUDGED) {
      const verdict = judge(strategy, { ...MARKET, gap: 4 }, Math.round(TAPES / 4), SEED + 1_000_000);
      tell(verdict);
      expect(verdict.below / verdict.bars, strategy.name).toBeLessThanOrEqual(strategy.isLoose ? 0.02 : strategy.isSingle ? 0 : 0.001);
      expect(verdict.worse.mean, strategy.name).toBeLessThanOrEqual(4 * verdict.worse.error);
    }
  });
});

test('two straight ways alone would be no bounds: stop entries with a tight trail would earn by both', () => {
  const straight: JudgedMarket['paths'] = ({ open, high, low, close }) => [
    [open, low, high, close],
    [open, high, low, close],
  ];
  const trailed = JUDGED.find(({ name }) => name === 'stop entries with a trail')!;
  const { below, bars, worse } = judge(trailed, { ...MARKET, steps: 600, paths: straight }, 60, SEED);
  expect(below / bars).toBeGreaterThan(0.1);
  expect(worse.z).toBeGreaterThan(4);
});
