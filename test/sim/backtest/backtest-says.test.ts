/** What a backtest says of its strategy: its own lines, sizes that round away, closes of nothing, and since when it is blocked. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../../src/base/failure/failure.ts';
import { documentText } from '../../../src/report/document/document-text.ts';
import { runDocument } from '../../../src/report/document/run/run-document.ts';
import type { Log } from '../../../src/ports/log.ts';
import { prepareBacktest, runBacktest } from '../../../src/run/backtest/backtest.ts';
import { runWithBracket } from '../../../src/run/backtest/other-readings.ts';
import { strategyLogFile, strategyLogText } from '../../../src/run/backtest/strategy-log.ts';
import { pageOf } from '../../../src/run/report/report-files.ts';
import type { BacktestOptions } from '../../../src/run/setup/options.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { writeRandomTape } from '../../support/backtest/reference-strategy.ts';

const QUIET: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let folder = '';
let tape = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'says-'));
  tape = join(folder, 'tape');
  writeRandomTape(tape, { seed: 3, rows: 4_000, symbols: 1, stepMs: 100 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A strategy that runs `body` at each of its timers, a second apart; `k` counts them from 0. */
const timed = (body: string): string =>
  strategyFile(
    folder,
    `    let k = 0;
    return {
      onStart(ctx: any) { ctx.setTimer('t', 1000); },
      onTimer(_name: any, ctx: any) {
        const [market] = ctx.markets;
        ${body}
        k++;
        ctx.setTimer('t', 1000);
      },
    };`,
  );

describe('ctx.log', () => {
  const SAYS = "if (k < 3) ctx.log('looked', { k, price: 100.5, big: 5n });";

  test('goes to stderr as lines with the time of the market, once although there are three readings', async () => {
    let text = '';
    const { take } = strategyLogText({ write: (piece) => (text += piece) });
    const options: BacktestOptions = {
      strategies: [{ file: timed(SAYS), params: {}, symbols: ['BTCUSDT'] }],
      tape,
      config: configWith({}),
      everyTick: true,
      speed: 1,
      seed: 1,
      strategyLog: take,
    };
    const report = await runWithBracket(options, 2);
    expect(report.bracket?.readings.length).toBe(3);
    const lines = text.trim().split('\n');
    expect(lines.length).toBe(3);
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z \[[\w-]+\] looked k=1 price=100\.5 big=5$/);
    expect(report.hash).toBe((await runBacktest({ ...options, strategyLog: undefined })).hash);
  });

  test('goes to a file as JSON, as in the log of a bot', async () => {
    const file = join(folder, 'said.jsonl');
    const log = strategyLogFile(file);
    await backtest(tape, timed(SAYS), { strategyLog: log.take });
    log.end();
    const [first] = readFileSync(file, 'utf8').trim().split('\n');
    expect(JSON.parse(first!)).toMatchObject({ event: 'strategy-log', level: 'info', says: 'looked', k: 0, price: 100.5, big: '5' });
    expect(() => strategyLogFile(join(folder, 'none', 'said.jsonl'))).toThrow(Failure);
  });

  test.runIf(existsSync('/dev/full'))('a file that cannot be written ends the run, and is no error of the strategy', () => {
    const log = strategyLogFile('/dev/full');
    const says = 'x'.repeat(100_000);
    for (let k = 0; k < 3; k++) log.take(k, { strategy: 'one', says });
    expect(() => log.end()).toThrow(/ENOSPC/);
  });

  test('cannot write control characters to a terminal', () => {
    let text = '';
    strategyLogText({ write: (piece) => (text += piece) }).take(0, { strategy: 'a', says: '\u001b[2J' });
    expect(text).not.toContain('\u001b');
  });
});

describe('sizes', () => {
  const opening = (size: string): Promise<string[]> =>
    backtest(tape, timed(`if (k < 3) ctx.open(market, 'LONG', { size: ${size} });`), {}).then(({ notes }) =>
      notes.filter((note) => note.includes('rounded down')),
    );

  test.each(['0.0019', "'0.0019'", "'100 USDT'"])('%s is rounded down by more than 10 %, which is said once', async (size) => {
    const notes = await opening(size);
    expect(notes.length).toBe(1);
    expect(notes[0]).toMatch(
      /: a size of (0\.0019|100 USDT) of BTCUSDT was rounded down to 0\.001, more than 10 % less: a lot is 0\.001\.$/,
    );
  });

  test('are told of once by strategy and symbol', async () => {
    const told: string[] = [];
    const file = timed("if (k < 3) ctx.open(market, 'LONG', { size: 0.0019 });");
    const options = {
      strategies: [{ file, params: {}, symbols: ['BTCUSDT'] }],
      tape,
      config: configWith({}),
      everyTick: true,
      speed: 1,
      seed: 1,
    };
    const log = (quiet: Log): Log => ({ ...QUIET, warn: (event, fields) => (told.push(event), quiet.warn(event, fields)) });
    (await prepareBacktest(options, { log })).run();
    expect(told.filter((event) => event === 'size-rounded').length).toBe(1);
  });

  test.each(['0.002', '0.0109', "'0.002'", "'2000 USDT'", '0.3 - 0.1'])('%s is not', async (size) => {
    expect(await opening(size)).toEqual([]);
  });
});

test('exports of the strategy file that nothing reads are named in a note', async () => {
  const file = timed('');
  writeFileSync(file, `${readFileSync(file, 'utf8')}\nexport const roi = { 0: 0.04 };\nexport const cooldown = 3;\n`);
  const { notes } = await backtest(tape, file, {});
  const about = notes.filter((note) => /cooldown|exports-unread/.test(note));
  expect(about).toEqual([expect.stringMatching(/^exports of \S+\.ts that are read by nothing: cooldown, roi\.$/)]);
});

test('ctx.close of nothing is counted, and is no refusal', async () => {
  const { notes, orders } = await backtest(tape, timed("if (k < 7) ctx.close(market, 'LONG');"), {});
  expect(notes.join('\n')).toMatch(/: ctx\.close found nothing to close 7 times: no position, or orders that close it already\./);
  expect(orders.refused).toEqual({});
});

describe('a strategy that is blocked', () => {
  const limited = { config: configWith({ risk: { maxNotionalPosition: '2000' } }) };

  test('is on the first screen, with the time, the number and the rules', async () => {
    const report = await backtest(tape, timed("ctx.open(market, 'LONG', { size: '0.01' });"), limited);
    const { blocked, refused, placed } = report.orders;
    expect(placed).toBeGreaterThan(0);
    expect(blocked).toMatchObject({ intents: refused['max-notional-position'], rules: ['max-notional-position'] });
    const top = documentText(runDocument(report), 80).split('\n').slice(0, 5).join(' ').replaceAll(/\s+/g, ' ');
    expect(top).toMatch(/BLOCKED from \d{4}-\d\d-\d\d [\d:]+ on: \d+ intents refused \(max-notional-position\), and nothing was placed/);
    expect(pageOf(report)).toContain('BLOCKED from');
  });

  test('that placed again between is blocked from the last order on', async () => {
    const file = timed("if (k === 25) ctx.close(market, 'LONG'); else ctx.open(market, 'LONG', { size: '0.01' });");
    const { blocked, refused } = (await backtest(tape, file, limited)).orders;
    expect(blocked!.intents).toBeGreaterThan(10);
    expect(blocked!.intents).toBeLessThan(refused['max-notional-position']! - 10);
  });

  test('is not named where it places again, or where few intents are refused', async () => {
    const again = timed("if (k === 25) ctx.close(market, 'LONG'); else if (k < 25) ctx.open(market, 'LONG', { size: '0.01' });");
    const few = timed("if (k < 8) ctx.open(market, 'LONG', { size: '0.01' });");
    for (const file of [again, few]) {
      const report = await backtest(tape, file, limited);
      expect(Object.values(report.orders.refused).length).toBeGreaterThan(0);
      expect(report.orders.blocked).toBeNull();
      expect(documentText(runDocument(report), 80)).not.toContain('BLOCKED');
    }
  });
});
