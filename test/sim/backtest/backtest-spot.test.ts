/** Spot in a backtest, with the arithmetic written out: its profit is in the result, and its market is shown row by row. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BacktestReport } from '../../../src/report/backtest-report.ts';
import { runBacktest } from '../../../src/run/backtest/backtest.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { TAPE_START as T } from '../../support/backtest/reference-strategy.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'spot-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Quote = readonly [at: number, bid: number, ask: number];

/** Prices in 0.1, sizes in 0.001; before each quote there is a trade at the bid. */
function tapeOf(quotes: readonly Quote[]): string {
  const path = mkdtempSync(join(folder, 'tape-'));
  const writer = new TapeWriter(join(path, 'x'));
  const scale = { priceDecimals: 1, sizeDecimals: 3 };
  const prints = writer.stream('BTCUSDT', 'trades', scale);
  const book = writer.stream('BTCUSDT', 'quotes', scale);
  quotes.forEach(([at, bid], k) => prints.trade(T + at, k + 1, bid, 40, k & 1));
  for (const [at, bid, ask] of quotes) book.quote(T + at, bid, 2000, ask, 2000);
  writer.finish();
  return join(path, 'x');
}

const QUOTES: readonly Quote[] = [
  [0, 600_000, 600_002],
  [1_000, 600_500, 600_503],
  [2_000, 601_000, 601_004],
  [3_000, 600_900, 600_905],
  [4_000, 600_500, 600_508],
];

interface Given {
  readonly symbols?: readonly string[];
  readonly everyTick?: boolean;
  readonly deposits?: Readonly<Record<string, string>>;
  readonly latencyMs?: number;
}

/** Runs a strategy with these handlers. Spot fees are 0.001 of the value. */
function run(
  handlers: string,
  { symbols = ['spot:BTCUSDT'], everyTick = true, deposits, latencyMs = 0 }: Given = {},
): Promise<BacktestReport> {
  const simulation = { upMs: latencyMs, downMs: latencyMs, ...(deposits === undefined ? {} : { deposits }) };
  return runBacktest({
    strategies: [{ file: strategyFile(folder, handlers), params: {}, symbols }],
    tape: tapeOf(QUOTES),
    config: configWith({ simulation, risk: { maxPosition: '10', staleAfterMs: 60_000 } }),
    everyTick,
    speed: 1,
    seed: 1,
  });
}

/** Places an order at the n-th quote of the spot market. */
const onQuotes = (orders: Readonly<Record<number, string>>): string => `
    let row = 0;
    return {
      onQuote(market: any, ctx: any) {
        if (market.product !== 'spot') return;
        row++;
        ${Object.entries(orders)
          .map(([row, order]) => `if (row === ${row}) ctx.spot([{ market, ${order} }]);`)
          .join('\n        ')}
      },
    };`;

describe('the result of spot', () => {
  test('has the realised profit, the holdings at the last bid, and the fees in the quote coin', async () => {
    // Bought 0.5 at 60,000.2 = 30,000.10, fee 30.0001. Sold 0.2 at the third bid, 60,100.0 = 12,020.00, fee 12.02. The sold part had cost
    // 30,000.10 · 0.2 / 0.5 = 12,000.04: 19.96 realised. 0.3 are held at the last bid: 18,015.00 − 18,000.06 = 14.94. Net 19.96 + 14.94 −
    // 42.0201 = −7.1201.
    const report = await run(onQuotes({ 1: "direction: 'BUY', size: '0.5'", 3: "direction: 'SELL', size: '0.2'" }));
    expect(report.fills.map((f) => [f.time - T, f.side, f.positionSide, f.price, f.size, f.fee])).toEqual([
      [0, 'BUY', 'SPOT', '60000.20', '0.500000', '30.00010000'],
      [2_000, 'SELL', 'SPOT', '60100.00', '0.200000', '12.02000000'],
    ]);
    expect(report.pnl).toEqual({
      realised: '19.96000000',
      unrealised: '14.94000000',
      fees: '42.02010000',
      funding: '0.00000000',
      net: '-7.12010000',
    });
    // Both wallets start with 100,000.
    expect([report.equity.start, report.equity.end]).toEqual(['200000.00000000', '199992.87990000']);
    expect(report.trades).toEqual([]);
    expect(report.notes.join('\n')).toContain('BTCUSDT spot 0.300000 is still held at the end: it counts at the last bid');
    // The largest holding is 0.5 at the third bid.
    expect(report.exposure).toMatchObject({ turnover: '42020.10' });
  });

  test('counts the holdings at every sample', async () => {
    const report = await run(onQuotes({ 1: "direction: 'BUY', size: '0.5'" }));
    // 200,000 − 30.0001 + 0.5 · (bid − 60,000.2) at each bid.
    expect(report.equity.curve.map(([at, equity]) => [at - T, equity])).toEqual([
      [1_000, '199994.89990000'],
      [2_000, '200019.89990000'],
      [3_000, '200014.89990000'],
      [4_000, '199994.89990000'],
    ]);
    expect(report.exposure).toMatchObject({ timeShare: 1, largest: '30050.00000000' });
    expect(report.equity.maxDrawdown).toBe('25.00000000');
  });

  test('sells from a deposit without counting the deposit', async () => {
    // Sold 0.5 at 60,000.0 = 30,000, fee 30; bought back 0.1 at 60,050.8 = 6,005.08, fee 6.00508; its sell gave 6,000: −5.08. 0.4 stay
    // sold: 24,000 − 0.4 · 60,050.0 = −20.
    const report = await run(onQuotes({ 1: "direction: 'SELL', size: '0.5'", 5: "direction: 'BUY', size: '0.1'" }), {
      deposits: { USDT: '1000', BTC: '2' },
    });
    expect(report.pnl).toMatchObject({ realised: '-5.08000000', unrealised: '-20.00000000', fees: '36.00508000', net: '-61.08508000' });
    expect([report.equity.start, report.equity.end]).toEqual(['2000.00000000', '1938.91492000']);
    expect(report.notes.join('\n')).toContain('BTCUSDT spot 0.400000 was sold out of the deposit');
  });

  test('is separate from that of futures', async () => {
    const handlers = `
    let row = 0;
    return {
      onQuote(market: any, ctx: any) {
        if (market.product === 'spot') { if (++row === 1) ctx.spot([{ market, direction: 'BUY', size: '0.1' }]); }
        else if (row === 0) ctx.open(market, 'SHORT', { size: '0.1' });
      },
    };`;
    // Spot: 0.1 at 60,000.2, fee 6.00002, held at 60,050.0: +4.98. Futures: short 0.1 at 60,000.0, fee 3.6, the mark at 60,050.0: −5.
    const report = await run(handlers, { symbols: ['BTCUSDT', 'spot:BTCUSDT'] });
    expect(report.pnl).toMatchObject({ realised: '0.00000000', unrealised: '-0.02000000', fees: '9.60002000', net: '-9.62002000' });
    expect(report.equity.end).toBe('199990.37998000');
  });

  test('is one trade from the first buy to the last sell', async () => {
    const report = await run(
      onQuotes({ 1: "direction: 'BUY', size: '0.5'", 2: "direction: 'SELL', size: '0.2'", 4: "direction: 'SELL', size: '0.3'" }),
    );
    // 0.2 · 60,050.0 + 0.3 · 60,090.0 − 30,000.10 = 12,010 + 18,027 − 30,000.10
    expect(report.trades).toMatchObject([{ positionSide: 'SPOT', size: '0.500000', pnl: '36.90000000', entryPrice: 60_000.2 }]);
    expect([report.pnl.realised, report.pnl.unrealised, report.stats.trades]).toEqual(['36.90000000', '0.00000000', 1]);
  });

  test('is absent if only futures are traded, whatever the spot wallet holds', async () => {
    const report = await run('    return {};', { symbols: ['BTCUSDT'], deposits: { USDT: '1000', BTC: '2' } });
    expect([report.equity.start, report.equity.end, report.pnl.net]).toEqual(['1000.00000000', '1000.00000000', '0.00000000']);
    expect(report.notes.join('\n')).not.toContain('spot');
  });

  test('includes latency with polls too', async () => {
    const handlers = `
    return {
      onStart(ctx: any) { ctx.setTimer('buy', 1_500); },
      onTimer(_name: any, ctx: any) { ctx.spot([{ market: ctx.markets[0], direction: 'BUY', size: '0.5' }]); },
    };`;
    const report = await run(handlers, { everyTick: false, latencyMs: 20 });
    // Bought at the second ask, 60,050.3, and held at the last bid: 0.5 · −0.3 = −0.15; fee 30.02515.
    expect(report.pnl).toMatchObject({ unrealised: '-0.15000000', fees: '30.02515000', net: '-30.17515000' });
  });
});

describe('the spot market by polls', () => {
  const blind = 'BTCUSDT spot: no poll shows its market, so the strategy saw nothing of it; --every-tick shows it.';

  test('is not visible, and the report says so', async () => {
    const watcher = "    return { onQuote() { throw new Error('seen'); }, onTrade() { throw new Error('seen'); } };";
    const { notes, config } = await run(watcher, { everyTick: false });
    expect(notes).toContain(blind);
    expect(notes.join('\n')).not.toContain('threw');
    expect(config).toMatchObject({ strategies: [{ symbols: ['spot:BTCUSDT'] }] });
  });

  test('is not reported missing if every tick shows it, or if nobody trades it', async () => {
    expect((await run('    return {};')).notes).not.toContain(blind);
    expect((await run('    return {};', { symbols: ['BTCUSDT'], everyTick: false })).notes).not.toContain(blind);
  });
});

describe('the spot market with every tick', () => {
  test('is shown row by row on its own grid, after the futures market that it mirrors', async () => {
    const handlers = `
    const seen: string[] = [];
    return {
      onQuote(market: any) { seen.push(market.product + ' ' + market.bid + '/' + market.ask + ' ' + market.bidSize); },
      onTrade(trade: any, market: any) { seen.push(market.product + ' ' + trade.price + ' ' + trade.size + ' ' + trade.aggressor); },
      onStop() { throw new Error(seen.slice(0, 6).join(', ') + ', ' + seen.length); },
    };`;
    const report = await run(handlers, { symbols: ['BTCUSDT', 'spot:BTCUSDT'] });
    expect(report.notes.join('\n')).toContain(
      'futures 60000 0.04 BUY, spot 60000 0.04 BUY, futures 60000/60000.2 2, spot 60000/60000.2 2, ' +
        'futures 60050 0.04 SELL, spot 60050 0.04 SELL, 20',
    );
  });

  test('has bars', async () => {
    const handlers = `
    const seen: string[] = [];
    return {
      barMs: 2_000,
      onBar(bar: any, market: any) { seen.push(market.product + ' ' + bar.open + ' ' + bar.close); },
      onStop() { throw new Error(seen.join(', ')); },
    };`;
    const report = await run(handlers);
    expect(report.notes.join('\n')).toContain('spot 60000 60050, spot 60100 60090');
  });
});
