/** Whole backtests: equal inputs give equal bytes, other inputs another hash, and the origin of a tape does not matter. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BacktestReport } from '../../../src/report/backtest-report.ts';
import { FillLog } from '../../../src/report/fills/fill-log.ts';
import { jsonPieces } from '../../../src/report/write-json.ts';
import type { BacktestOptions } from '../../../src/run/setup/options.ts';
import { importFiles } from '../../../src/tape/import/import.ts';
import { openTape } from '../../../src/tape/read.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { TAPE_START, writeRandomTape } from '../../support/backtest/reference-strategy.ts';

let folder = '';
let tape = '';
/** Trades randomly, so that seed and parameters matter. */
let gambler = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'backtest-'));
  tape = join(folder, 'tape');
  writeRandomTape(tape, { seed: 11, rows: 20_000, symbols: 2, stepMs: 20 });
  gambler = strategyFile(
    folder,
    `    return {
      onQuote(market: any, ctx: any) {
        if (ctx.random() < 0.02) ctx.open(market, ctx.random() < 0.5 ? 'LONG' : 'SHORT', { size: params.size });
        if (ctx.random() < 0.02) ctx.close(market, ctx.random() < 0.5 ? 'LONG' : 'SHORT');
        if (ctx.random() < 0.02) ctx.limit(market, 'LONG', 'OPEN', market.bid, params.size);
        if (ctx.random() < 0.02) ctx.cancelAll(market);
      },
    };`,
    `size: param.decimal('0.01')`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(given: Partial<BacktestOptions> = {}): Promise<BacktestReport> {
  return backtest(tape, gambler, given);
}

function bytesOf(report: BacktestReport): string {
  const { performance: _performance, ...rest } = report;
  return JSON.stringify(rest);
}

describe('the same inputs', () => {
  test.each([true, false])('give the same bytes (every tick %s)', async (everyTick) => {
    const first = await run({ everyTick });
    expect(bytesOf(await run({ everyTick }))).toBe(bytesOf(first));
    expect(first.fills.length).toBeGreaterThan(20);
    expect(first.trades.length).toBeGreaterThan(3);
  });

  test('give the same hash in another folder', async () => {
    const other = join(folder, 'elsewhere');
    writeRandomTape(other, { seed: 11, rows: 20_000, symbols: 2, stepMs: 20 });
    expect((await backtest(other, gambler)).hash).toBe((await run()).hash);
  });

  test('with a parameter set to its default equals the default', async () => {
    const strategies = [{ file: gambler, params: { size: '0.01' }, symbols: [] }];
    expect((await run({ strategies })).hash).toBe((await run()).hash);
  });
});

describe('fills and hash change with', () => {
  const changes: Readonly<Record<string, () => Partial<BacktestOptions>>> = {
    'the seed': () => ({ seed: 2 }),
    'the latency': () => ({ config: configWith({ simulation: { upMs: 21 } }) }),
    'the fill model': () => ({ config: configWith({ simulation: { fillModel: 'touch' } }) }),
    'a parameter': () => ({ strategies: [{ file: gambler, params: { size: '0.02' }, symbols: [] }] }),
    'the symbols': () => ({ strategies: [{ file: gambler, params: {}, symbols: ['BTCUSDT'] }] }),
    'what the strategy sees': () => ({ everyTick: true }),
    'a poll period': () => ({ config: configWith({ poll: { quotes: 300 } }) }),
    'a fee': () => ({ config: configWith({ contract: { takerFeeRate: '0.0007' } }) }),
    'a limit of risk': () => ({ config: configWith({ risk: { maxPosition: '0.02' } }) }),
    'the part of the tape': () => ({ to: TAPE_START + 60_000 }),
    'the speed': () => ({ speed: 2 }),
  };
  test.each(Object.entries(changes))('%s', async (_name, change) => {
    const [changed, plain] = [await run(change()), await run()];
    expect(changed.hash).not.toBe(plain.hash);
    expect(changed.fills).not.toEqual(plain.fills);
  });

  test('any single field of a fill', () => {
    const names = ['time', 'instrument', 'side', 'effect', 'price', 'size', 'fee', 'liquidity'] as const;
    const digestOf = (changed: string): string => {
      const log = new FillLog();
      const [time, instrument, side, effect, price, size, fee, liquidity] = names.map(
        (name, k) => (k < 1 ? TAPE_START : 0) + (name === changed ? 1 : 0),
      );
      log.add(time!, instrument!, side!, effect!, price!, size!, fee!, 0, liquidity!, 1);
      return log.digest();
    };
    expect(new Set(['none', ...names].map(digestOf)).size).toBe(names.length + 1);
  });
});

describe('the origin of a tape', () => {
  const csv = (name: string): string => readFileSync(join(folder, name), 'utf8');

  function writeCsv(): void {
    let trades = 'symbol,tradeId,price,size,side,ts\n';
    let book = 'symbol,bidPrice,bidQty,askPrice,askQty,ts\n';
    let price = 600_000;
    for (let k = 1; k <= 6000; k++) {
      const time = TAPE_START + k * 17 - (k % 3) * 5;
      price += ((k * 7919) % 5) - 2;
      const text = (ticks: number): string => (ticks / 10).toFixed(1);
      trades += `BTCUSDT,${k},${text(price)},0.${String(100 + (k % 800))},${k % 2 === 0 ? 'BUY' : 'SELL'},${time}\n`;
      book += `BTCUSDT,${text(price - 1)},1.${String(100 + (k % 700))},${text(price + 1)},2.${String(100 + (k % 600))},${time}\n`;
    }
    writeFileSync(join(folder, 'trades.csv'), trades);
    writeFileSync(join(folder, 'book.csv'), book);
  }

  test('one file, or two cut in the middle, or the parts in another order', async () => {
    writeCsv();
    const parts = ['trades', 'book'].flatMap((kind) => {
      const [head = '', ...rows] = csv(`${kind}.csv`).trimEnd().split('\n');
      const cut = Math.floor(rows.length / 2);
      return [rows.slice(0, cut), rows.slice(cut)].map((some, k) => {
        const path = join(folder, `${kind}-${k}.csv`);
        writeFileSync(path, `${[head, ...some].join('\n')}\n`);
        return path;
      });
    });
    const whole = [join(folder, 'trades.csv'), join(folder, 'book.csv')];
    const reports: BacktestReport[] = [];
    for (const [k, files] of [whole, parts, parts.toReversed()].entries()) {
      const out = join(folder, `cut-${k}`);
      await importFiles(files, out);
      reports.push(await backtest(out, gambler, { everyTick: true }));
    }
    expect(reports[0]!.tape.rows).toBe(12_000);
    expect(reports.map(bytesOf)).toEqual([bytesOf(reports[0]!), bytesOf(reports[0]!), bytesOf(reports[0]!)]);
    expect(reports[0]!.fills.length).toBeGreaterThan(5);
  });

  test.each([true, false])('another symbol on the tape does not change the fills of the traded one (every tick %s)', async (everyTick) => {
    const alone = join(folder, 'alone');
    const writer = new TapeWriter(alone, { overwrite: true });
    const both = openTape(tape, { symbols: ['BTCUSDT'] });
    for (const stream of both.open()) {
      const to = writer.stream(stream.symbol, stream.kind, stream.scale);
      while (stream.next()) {
        for (let k = 0; k < stream.length; k++) {
          if (stream.kind === 'trades') to.trade(stream.time[k]!, stream.id[k]!, stream.price[k]!, stream.size[k]!, stream.side[k]!);
          else to.quote(stream.time[k]!, stream.bid[k]!, stream.bidSize[k]!, stream.ask[k]!, stream.askSize[k]!);
        }
      }
    }
    writer.finish();
    const strategies = [{ file: gambler, params: {}, symbols: ['BTCUSDT'] }];
    // The bot starts with the first row of any symbol, so both runs start at the same later moment.
    const from = TAPE_START + 5000;
    const together = await run({ strategies, everyTick, botFrom: from });
    const separate = await backtest(alone, gambler, { strategies, everyTick, botFrom: from });
    expect(together.fills).toEqual(separate.fills);
    expect(together.pnl).toEqual(separate.pnl);
    expect(together.fills.length).toBeGreaterThan(5);
  });
});

describe('equity', () => {
  test.each([true, false])('start + net = end, net = realised + open − fees, to the last digit (every tick %s)', async (everyTick) => {
    const { pnl, equity, trades, fills } = await run({ everyTick });
    const money = (text: string): bigint => BigInt(text.replace('.', ''));
    expect(money(equity.start) + money(pnl.net)).toBe(money(equity.end));
    expect(money(pnl.realised) + money(pnl.unrealised) - money(pnl.fees) + money(pnl.funding)).toBe(money(pnl.net));
    expect(fills.reduce((sum, fill) => sum + money(fill.fee), 0n)).toBe(money(pnl.fees));
    for (const trade of trades) expect(money(trade.pnl) - money(trade.fees)).toBe(money(trade.net));
    expect(equity.curve.at(-1)?.[1]).toBe(equity.end);
  });
});

describe('the report as JSON', () => {
  test('in pieces equals JSON.stringify of it', async () => {
    const report = await run({ everyTick: true });
    expect([...jsonPieces(report)].join('')).toBe(JSON.stringify(report));
    // The report of a session has no list of errors.
    const without = { first: undefined, ...report, threw: undefined };
    expect([...jsonPieces(without)].join('')).toBe(JSON.stringify(without));
    for (const length of [0, 1, 9_999, 10_000, 10_001, 20_000, 25_001]) {
      const fills = Array.from({ length }, (_, k) => ({ ...report.fills[0]!, time: k }));
      const many = { ...report, fills };
      const pieces = [...jsonPieces(many)];
      expect(pieces.join('')).toBe(JSON.stringify(many));
      if (length > 10_000) expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(JSON.stringify(fills).length);
    }
  });
});
