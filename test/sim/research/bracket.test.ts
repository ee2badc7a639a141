/** The bracket of a backtest: what its two other readings change, that they are real runs, and what is said of their distance. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bracketOf, readingOf } from '../../../src/report/three-readings.ts';
import { READINGS } from '../../../src/report/reading.ts';
import { documentText } from '../../../src/report/document/document-text.ts';
import { runDocument } from '../../../src/report/document/run/run-document.ts';
import type { RunReport } from '../../../src/report/run-report.ts';
import { jsonPieces } from '../../../src/report/write-json.ts';
import { runBacktest } from '../../../src/run/backtest/backtest.ts';
import { runWithBracket } from '../../../src/run/backtest/other-readings.ts';
import { delayed, termsOf } from '../../../src/run/backtest/inputs/readings.ts';
import { pageOf } from '../../../src/run/report/report-files.ts';
import type { BacktestOptions } from '../../../src/run/setup/options.ts';
import { openTape } from '../../../src/tape/read.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { TAPE_START, writeRandomTape } from '../../support/backtest/reference-strategy.ts';

let folder = '';
let options: BacktestOptions;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bracket-'));
  const tape = join(folder, 'tape');
  writeRandomTape(tape, { seed: 3, rows: 20_000, symbols: 1, stepMs: 100 });
  const file = strategyFile(
    folder,
    `    return {
      onQuote(market: any, ctx: any) {
        if (market.long.free > 0) ctx.limit(market, 'LONG', 'CLOSE', market.ask, params.size);
        else ctx.limit(market, 'LONG', 'OPEN', market.bid, params.size);
        if (ctx.random() < 0.05) ctx.cancelAll(market);
      },
    };`,
    `size: param.decimal('0.01')`,
  );
  const strategies = [{ file, params: {}, symbols: ['BTCUSDT'] }];
  options = { strategies, tape, config: configWith({ simulation: { fillModel: 'queue' } }), everyTick: true, speed: 1, seed: 1 };
});
afterAll(() => rmSync(folder, { recursive: true }));

const money = (amount: number): string => amount.toFixed(2);
const withNets = (nets: readonly string[], report: RunReport): string => {
  const readings = READINGS.map((name, k) => ({ ...readingOf(name, '', report), net: nets[k]! }));
  return bracketOf(readings, money).sentence;
};

describe('a backtest with its bracket', () => {
  it('is the same run, and its readings are those that backtests with their terms give', async () => {
    const alone = await runBacktest(options);
    const report = await runWithBracket(options);
    expect(alone.bracket).toBeNull();
    expect(report.hash).toBe(alone.hash);
    expect(report.notes).toEqual(alone.notes);
    expect(report.bracket!.readings.map(({ name }) => name)).toEqual(READINGS);
    for (const reading of report.bracket!.readings) {
      const { name } = reading;
      const terms = name === 'as reported' ? undefined : termsOf(name, options.config.simulation, false);
      const own = await runBacktest({ ...options, reading: terms });
      expect(reading).toEqual(readingOf(name, reading.terms, own));
    }
    const fills = report.bracket!.readings.map((one) => one.fills);
    expect(fills[0]).toBeGreaterThan(0);
    expect(fills[0]).toBeLessThan(fills[2]!);
    const json = JSON.parse([...jsonPieces(report)].join('')) as RunReport;
    expect(json.bracket).toEqual(report.bracket);
    const text = documentText(runDocument(report), 80);
    for (const name of ['pessimistic', 'as reported', 'optimistic']) expect(text).toMatch(new RegExp(`^ {2}${name} +[−\\d]`, 'm'));
    const page = pageOf(report);
    for (const { net } of report.bracket!.readings) expect(page).toContain(`data-value="${net}"`);
    expect(page).toContain(report.bracket!.sentence);
  });

  it('is the same on bars with one thread for both readings and with a thread for each', async () => {
    const tape = join(folder, 'bars');
    const writer = new TapeWriter(tape);
    const bars = writer.stream('BTCUSDT', 'bars', { priceDecimals: 1, sizeDecimals: 3 }, 60_000);
    for (let k = 0; k < 300; k++) {
      const [open, close] = [k, k + 1].map((at) => 600_000 + Math.round(Math.sin(at / 9) * 900)) as [number, number];
      bars.bar(TAPE_START + k * 60_000, open, Math.max(open, close) + 40, Math.min(open, close) - 40, close, 5000);
    }
    writer.finish();
    const file = resolve(import.meta.dirname, '../../../strategies/ema-cross.ts');
    const onBars = { ...options, tape, strategies: [{ file, params: { bar: '1m' }, symbols: [] }] };
    const [two, three] = await Promise.all([runWithBracket(onBars, 2), runWithBracket(onBars, 3)]);
    expect(two.bracket!.readings.map(({ net }) => net)).not.toContain('0.00000000');
    expect(two.bracket).toEqual(three.bracket);
    expect(two.hash).toBe(three.hash);
  });

  it('has no bracket and says why where it would take twice as long', async () => {
    const { bracket, notes, performance } = await runWithBracket(options, 1);
    expect(bracket).toBeNull();
    expect(notes.at(-1)).toBe('there is no bracket of readings: on one processor it would take three times as long.');
    expect(performance.bracketMs).toBeUndefined();
  });

  it('has no bracket and says why if a reading cannot be run', async () => {
    const file = strategyFile(folder, '    return {};', '');
    const broken = `${file.slice(0, -3)}-thread.ts`;
    const { writeFileSync } = await import('node:fs');
    writeFileSync(
      broken,
      `import { defineStrategy } from 'tickwright';
import { isMainThread } from 'node:worker_threads';
export default defineStrategy({ name: 'broken', create: () => { if (!isMainThread) throw new Error('only in one thread'); return {}; } });`,
    );
    const report = await runWithBracket({
      ...options,
      config: { ...options.config, strategyGuard: 'off' },
      strategies: [{ file: broken, params: {}, symbols: [] }],
    });
    expect(report.bracket).toBeNull();
    expect(report.notes.at(-1)).toMatch(/^there is no bracket of readings: .*only in one thread/);
  });
});

describe('what a reading changes', () => {
  it('messages: constant times, and what models draw; never below 0', () => {
    expect(delayed({ upMs: 20, downMs: 5 }, 10)).toMatchObject({ upMs: 30, downMs: 15, up: null, down: null });
    expect(delayed({ upMs: 20, downMs: 5 }, -10)).toMatchObject({ upMs: 10, downMs: 0 });
    const drawn = delayed({ upMs: 20, downMs: 5, up: { next: (ms) => ms + 1 } }, 7);
    expect([drawn.upMs, drawn.downMs, drawn.up!.next(drawn.upMs)]).toEqual([20, 12, 28]);
    expect(delayed({ upMs: 0, downMs: 0, up: { next: () => 3 } }, -5).up!.next(0)).toBe(0);
  });

  it('the spread of quotes, in whole ticks, without touching the tape', () => {
    const read = (spreadFactor?: number): [number, number][] => {
      const quotes = openTape(options.tape, { spreadFactor })
        .open()
        .find(({ kind }) => kind === 'quotes')!;
      const rows: [number, number][] = [];
      while (quotes.next()) for (let r = 0; r < quotes.length; r++) rows.push([quotes.bid[r]!, quotes.ask[r]!]);
      quotes.close();
      return rows;
    };
    const recorded = read();
    const wide = read(1.5);
    expect(wide).toHaveLength(recorded.length);
    for (const [k, [bid, ask]] of recorded.entries()) {
      const [lower, higher] = wide[k]!;
      if (bid === 0 || ask === 0) {
        expect([lower, higher]).toEqual([bid, ask]);
        continue;
      }
      expect(higher - lower).toBe(Math.ceil((ask - bid) * 1.5));
      expect([lower <= bid, higher > ask]).toEqual([true, true]);
    }
    expect(read()).toEqual(recorded);
    expect(() => read(0.5)).toThrow(/spread factor of at least 1/);
  });

  it('the order of a bar, in words where there are bars', () => {
    const { simulation } = options.config;
    expect(termsOf('pessimistic', simulation, true)).toMatchObject({ fillModel: 'through', spreadFactor: 1.5, moreMs: 0 });
    expect(termsOf('optimistic', simulation, true)).toMatchObject({ fillModel: 'through', spreadFactor: 1, moreMs: 0, isBold: true });
    expect(termsOf('pessimistic', simulation, true).words).toContain('lowest equity');
    expect(termsOf('pessimistic', { ...simulation, upMs: 0, downMs: 0 }, false).moreMs).toBe(10);
  });
});

describe('the sentence', () => {
  it.each([
    [['1', '2', '3'], 'apart (from 1.00 to 3.00, 100 % of the reported result), and all of them make a profit.'],
    [['-3', '-2', '-1'], 'apart (from -3.00 to -1.00, 100 % of the reported result), and all of them lose.'],
    [['-1', '0', '3'], 'apart (from -1.00 to 3.00): whether this makes a profit depends on fills, latency and spread.'],
    [['2', '2', '2'], 'agree to the last digit'],
    [['2', '1', '3'], 'The pessimistic one ended better than the reported one: the assumptions changed the fills'],
    [['1', '3', '2'], 'The optimistic one ended worse than the reported one: the assumptions changed the fills'],
    [['3', '2', '1'], 'better than the reported one, and the optimistic one ended worse than the reported one'],
  ])('of %s', async (nets, words) => {
    expect(withNets(nets, await runBacktest({ ...options, to: 1 + openTape(options.tape).manifest.from + 60_000 }))).toContain(words);
  });
});
