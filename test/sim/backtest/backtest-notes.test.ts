/** The cautions in a report, each in a run that needs it; and the order of events within a millisecond. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backtest, configWith, strategyFile, type Changes } from '../../support/backtest/reference-backtest.ts';
import { TAPE_START as T } from '../../support/backtest/reference-strategy.ts';
import type { BacktestOptions } from '../../../src/run/setup/options.ts';
import { TapeWriter } from '../../../src/tape/write.ts';

let folder = '';
const scale = { priceDecimals: 1, sizeDecimals: 3 };
type Trade = readonly [at: number, price: number, size: number];
type Quote = readonly [at: number, bid: number, ask: number];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'notes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let tapes = 0;
function tapeOf(trades: readonly Trade[], quotes: readonly Quote[], symbol = 'BTCUSDT'): string {
  const path = join(folder, `tape-${++tapes}`);
  const writer = new TapeWriter(path);
  const prints = writer.stream(symbol, 'trades', scale);
  const book = writer.stream(symbol, 'quotes', scale);
  trades.forEach(([at, price, size], k) => prints.trade(T + at, k + 1, price, size, k & 1));
  for (const [at, bid, ask] of quotes) book.quote(T + at, bid, 2000, ask, 2000);
  writer.finish();
  return path;
}

const TRADES: readonly Trade[] = Array.from({ length: 40 }, (_, k): Trade => [k * 100, 600_000 + (k % 3), 50]);
const QUOTES: readonly Quote[] = Array.from({ length: 40 }, (_, k): Quote => [k * 100 + 50, 600_000 + (k % 3), 600_002 + (k % 3)]);
const HOLD =
  "    return { onStart(ctx: any) { ctx.setTimer('t', 500); }, onTimer(_n: any, ctx: any) { ctx.open(ctx.markets[0], 'LONG', { size: '0.5' }); } };";

async function notesOf(
  tape: string,
  body = '    return {};',
  changes: Changes = {},
  given: Partial<BacktestOptions> = {},
): Promise<string> {
  const report = await backtest(tape, strategyFile(folder, body), { config: configWith(changes), ...given });
  return report.notes.join('\n');
}

describe('the report contains', () => {
  test('how the strategy saw the market', async () => {
    const tape = tapeOf(TRADES, QUOTES);
    expect(await notesOf(tape)).toContain('as its polls would have shown it: quotes every 250 ms, trades every 1000 ms.');
    expect(await notesOf(tape, HOLD, {}, { everyTick: true })).toContain('--every-tick: the strategy saw every row at once');
  });

  test('models of delay, fees and price that are not the default', async () => {
    const { simulation } = configWith();
    const latency = { ...simulation.latency, model: 'spikes' as const, jitterMs: 7, spikeMs: 90, spikeChance: '0.02' };
    const fees = { ...simulation.fees, model: 'tiers' as const };
    const impact = { model: 'square-root' as const, coefficient: '1', volatility: '0.03', turnover: '1000000000' };
    const told = await notesOf(tapeOf(TRADES, QUOTES), HOLD, { simulation: { latency, fees, impact } });
    expect(told).toContain('each with up to 7 ms more, and 90 ms more in 2 % of the messages.');
    expect(told).toContain('fees by the tiers of the configuration');
    expect(told).toContain('an impact of 1 × 3 % × √(value / 1000000000)');
  });

  test('latency and the fill model', async () => {
    const tape = tapeOf(TRADES, QUOTES);
    expect(await notesOf(tape)).toContain('an order takes 20 ms to the venue and its answer 20 ms back, always the same.');
    expect(await notesOf(tape, HOLD, { simulation: { upMs: 0, downMs: 0 } })).toContain(
      'orders and answers take no time (latency 0): no real venue is like that.',
    );
    for (const [fillModel, words] of [
      ['touch', 'more often than live'],
      ['through', 'less often than live'],
      ['queue', 'waits behind'],
    ] as const) {
      expect(await notesOf(tape, HOLD, { simulation: { fillModel } })).toMatch(new RegExp(`"${fillModel}" model: .*${words}`));
    }
  });

  test('missing data of the tape', async () => {
    expect(await notesOf(tapeOf(TRADES, []))).toContain('BTCUSDT: no book on the tape');
    expect(await notesOf(tapeOf([], QUOTES))).toContain('BTCUSDT: no trades on the tape');
    const whole = await notesOf(tapeOf(TRADES, QUOTES));
    expect(whole).not.toMatch(/no book|no trades|silent/);
    const late = QUOTES.map(([at, bid, ask]): Quote => [at < 2000 ? at : at + 61_000, bid, ask]);
    expect(await notesOf(tapeOf(TRADES, late))).toContain('BTCUSDT: the recording is silent for more than 5 s once, the longest 61.1 s');
  });

  test('guesses, cuts and speed-ups', async () => {
    const tape = tapeOf(TRADES, QUOTES, 'NEWUSDT');
    expect(await notesOf(tape)).toContain('NEWUSDT: not configured; the grid is read off the tape, fees and limits are guessed.');
    expect(await notesOf(tapeOf(TRADES, QUOTES), HOLD, {}, { speed: 2 })).toContain("the tape's time runs 2 times as fast");
    expect(await notesOf(tapeOf(TRADES, QUOTES), HOLD, {}, { to: T + 2000 })).toContain('only a part of the tape was run');
  });

  test('what was open at the end of the tape', async () => {
    const notes = await notesOf(tapeOf(TRADES, QUOTES), HOLD, {}, { everyTick: true });
    expect(notes).toContain('BTCUSDT LONG 0.500 is still open at the end: it counts at the mark price, without the cost of closing it.');
    const both = HOLD.replace('}, onTimer(_n: any, ctx: any) {', "$& ctx.open(ctx.markets[0], 'SHORT', { size: '0.2' });");
    expect(await notesOf(tapeOf(TRADES, QUOTES), both, {}, { everyTick: true })).toContain(
      '2 positions are still open at the end (BTCUSDT LONG 0.500, BTCUSDT SHORT 0.200): they count at the mark price, without the cost of',
    );
    const rest =
      "    return { onStart(ctx: any) { ctx.setTimer('t', 500); }, onTimer(_n: any, ctx: any) { ctx.limit(ctx.markets[0], 'LONG', 'OPEN', '59900', '0.5'); } };";
    expect(await notesOf(tapeOf(TRADES, QUOTES), rest, {}, { everyTick: true })).toContain('1 order still rested when the tape ended.');
    const late =
      "    return { onStop(ctx: any) { ctx.close(ctx.markets[0], 'LONG'); ctx.cancelAll(); }, onQuote(market: any, ctx: any) { if (market.orders.length === 0) ctx.limit(market, 'LONG', 'OPEN', '59900', '0.5'); } };";
    expect(await notesOf(tapeOf(TRADES, QUOTES), late, {}, { everyTick: true })).toContain(
      '1 command had no answer yet when the tape ended.',
    );
  });

  test('that the venue liquidated', async () => {
    const crash = [...QUOTES.slice(0, 20), ...QUOTES.slice(20).map(([at, bid, ask]): Quote => [at + 3000, bid - 100_000, ask - 100_000])];
    const trades = [...TRADES.slice(0, 20), ...TRADES.slice(20).map(([at, price, size]): Trade => [at + 3000, price - 100_000, size])];
    const notes = await notesOf(tapeOf(trades, crash), HOLD, { simulation: { deposits: { USDT: '2000' } } }, { everyTick: true });
    expect(notes).toContain('the venue liquidated: once it reduced or closed a position.');
    expect(notes).not.toContain('is still open');
  });

  test('no external close for an exit at the venue [X9]', async () => {
    const stopped = HOLD.replace("size: '0.5'", "size: '0.5', stopLoss: '59950'");
    const fall = <Row extends readonly number[]>(row: Row, k: number): Row =>
      row.map((x, i) => (i > 0 && k >= 20 && x > 1e5 ? x - 1000 : x)) as never;
    const longer = Array.from({ length: 100 }, (_, k): Quote => [k * 100 + 50, 600_000, 600_002]);
    const trades = Array.from({ length: 100 }, (_, k): Trade => [k * 100, 600_000, 50]);
    const notes = await notesOf(tapeOf(trades.map(fall), longer.map(fall)), stopped);
    expect(notes).not.toMatch(/no order of this run|foreign|halted/);
  });

  test('strategies that share a position', async () => {
    const [one, other] = [strategyFile(folder, '    return {};'), strategyFile(folder, '    return {};')];
    const run = async (symbols: readonly string[][]): Promise<string> => {
      const strategies = symbols.map((of, k) => ({ file: k === 0 ? one : other, params: {}, symbols: of }));
      return (await backtest(tapeOf(TRADES, QUOTES), '', { strategies })).notes.join('\n');
    };
    expect(await run([['BTCUSDT'], ['BTCUSDT']])).toContain(
      'BTCUSDT: scripted and scripted-2 share its positions; each sees, and may close, what the other opened.',
    );
    expect(await run([['BTCUSDT']])).not.toContain('share');
  });

  test('the bot’s refusals, by rule and with the first of each', async () => {
    const wrong = `    return { onQuote(market: any, ctx: any) {
      ctx.open(market, 'LONG', { size: Number.NaN });
      ctx.open(market, 'LONG', { size: '5' });
    } };`;
    const notes = await notesOf(tapeOf(TRADES, QUOTES), wrong, { risk: { maxOrderSize: '1' } }, { everyTick: true });
    expect(notes).toMatch(/^40 intents refused \(bad-amount\); the first: size: a finite number .* was expected, found NaN\.$/m);
    expect(notes).toMatch(/^40 intents refused \(order-size\); the first: at most 1\.000 an order, asked 5\.000\.$/m);
  });

  test('the venue’s rejections', async () => {
    const take = "    return { onQuote(market: any, ctx: any) { ctx.limit(market, 'LONG', 'OPEN', market.ask, '0.001', true); } };";
    expect(await notesOf(tapeOf(TRADES, QUOTES), take, {}, { everyTick: true })).toMatch(/the venue refused \d+ commands: would-take\./);
  });

  test('in every run: no market impact, funding, and how often equity is sampled', async () => {
    const notes = await notesOf(tapeOf(TRADES, QUOTES));
    expect(notes).toContain('our orders move no price');
    expect(notes).toContain('funding every 8 h at 0.01 %: an assumed rate, not the recorded one.');
    expect(notes).toContain('as it stood every 1 s.');
    expect(notes).toContain('at most 5 order commands a second leave');
    expect(notes).toContain('0 trades were closed: too few to tell skill from luck.');
  });
});

describe('rows and messages of one millisecond', () => {
  // An order sent with the quote of 1000 arrives at 1020, together with two quotes.
  const quotes: readonly Quote[] = [
    [0, 600_000, 600_001],
    [1000, 600_000, 600_001],
    [1020, 600_010, 600_011],
    [1020, 600_020, 600_021],
    [1021, 600_030, 600_031],
    [5000, 600_000, 600_001],
  ];
  const BUY =
    "    let n = 0;\n    return { onQuote(market: any, ctx: any) { if (++n === 2) ctx.open(market, 'LONG', { size: '0.01' }); } };";

  test('with every tick, a message follows the first row of its millisecond', async () => {
    const report = await backtest(tapeOf([], quotes), strategyFile(folder, BUY), { everyTick: true });
    expect(report.fills.map((f) => [f.time - T, f.price])).toEqual([[1020, '60001.10']]);
  });

  test('with polls it follows the last row', async () => {
    const body =
      "    return { onStart(ctx: any) { ctx.setTimer('t', 1_700_000_001_000 - ctx.now); }, onTimer(_n: any, ctx: any) { ctx.open(ctx.markets[0], 'LONG', { size: '0.01' }); } };";
    const report = await backtest(tapeOf([], quotes), strategyFile(folder, body));
    // The timer fires at 1000, and the order arrives at 1020.
    expect(report.fills.map((f) => [f.time - T, f.price])).toEqual([[1020, '60002.10']]);
  });

  test('without latency an order meets the row that caused it, not the next one of its millisecond', async () => {
    const config = configWith({ simulation: { upMs: 0, downMs: 0 } });
    const body =
      "    let n = 0;\n    return { onQuote(market: any, ctx: any) { if (++n === 3) ctx.open(market, 'LONG', { size: '0.01' }); } };";
    const report = await backtest(tapeOf([], quotes), strategyFile(folder, body), { everyTick: true, config });
    expect(report.fills.map((f) => [f.time - T, f.price])).toEqual([[1020, '60001.10']]);
  });

  test('messages that would arrive after the last row do not', async () => {
    const body =
      "    let n = 0;\n    return { onQuote(market: any, ctx: any) { if (++n === 5) ctx.open(market, 'LONG', { size: '0.01' }); } };";
    const cut = quotes.slice(0, 5);
    const report = await backtest(tapeOf([], cut), strategyFile(folder, body), { everyTick: true });
    expect(report.fills).toEqual([]);
    expect(report.orders.placed).toBe(1);
    expect(
      (await backtest(tapeOf([], [...cut, [1041, 600_030, 600_031]]), strategyFile(folder, body), { everyTick: true })).fills,
    ).toHaveLength(1);
  });
});
