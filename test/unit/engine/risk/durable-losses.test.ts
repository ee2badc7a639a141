/** The counters of the loss limits, kept beside the store: the worse of two sources, a damaged file, a clock set back, deposits. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Command } from '../../../../src/domain/orders/command.ts';
import type { OrderReport } from '../../../../src/domain/report.ts';
import type { KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import type { RiskLimits } from '../../../../src/domain/limits.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { worseLosses, type SavedLosses } from '../../../../src/engine/risk/loss-scope.ts';
import { DurableLosses } from '../../../../src/run/bot/store/durable-losses.ts';
import {
  MemoryLog,
  orderReport,
  POLLS,
  polledRig,
  positionReport,
  restarted,
  rig,
  settleReads,
  START,
  type Rig,
} from '../../../support/engine/engine-kit.ts';

const USDT = 100_000_000;
const DAY = 86_400_000;
const TO_MIDNIGHT = DAY - (START % DAY);
const folder = mkdtempSync(join(tmpdir(), 'durable-losses-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const counted = (changes: Partial<SavedLosses> = {}): SavedLosses => ({
  day: 100,
  dayStart: 10_000,
  high: 10_500,
  equity: 9_900,
  scopes: { bot: { realised: -50, streak: 2 } },
  open: {},
  cool: { BTCUSDT: 500 },
  booked: [[3, -7]],
  ...changes,
});

describe('the worse of journal and file', () => {
  test('is the larger loss on one day, and the later of two days', () => {
    const older = counted({ dayStart: 9_950, high: 10_000, scopes: { bot: { realised: -10, streak: 1 } }, cool: {} });
    for (const both of [worseLosses(older, counted())!, worseLosses(counted(), older)!]) {
      expect(both).toMatchObject({ dayStart: 10_000, high: 10_500, scopes: { bot: { realised: -50, streak: 2 } }, cool: { BTCUSDT: 500 } });
    }
    const next = counted({ day: 101, dayStart: 9_000, scopes: { bot: { realised: 0, streak: 0 } } });
    expect(worseLosses(next, counted())).toMatchObject({ day: 101, dayStart: 9_000, scopes: { bot: { realised: 0, streak: 2 } } });
    expect(worseLosses(counted(), next)).toMatchObject({ day: 101, dayStart: 9_000, high: 10_500 });
  });

  test('is the existing one; what belongs to orders and positions comes from the journal', () => {
    expect(worseLosses(undefined, undefined)).toBeUndefined();
    expect(worseLosses(undefined, counted())).toMatchObject({ dayStart: 10_000, booked: [] });
    const open = { 'BTCUSDT LONG': -5 };
    expect(worseLosses(counted(), counted({ open, booked: [[9, 1]] }))).toMatchObject({ open: {}, booked: [[3, -7]] });
    expect(worseLosses(counted({ open }), counted({ day: 101 }))).toMatchObject({ day: 101, open });
  });
});

describe('the file', () => {
  const record = (losses: SavedLosses) => ({ kind: 'losses', seq: 0, time: 0, data: { ...losses } });

  test('keeps the counters if the store is gone, and is removed once the limits are off', () => {
    const at = join(folder, 'one');
    const first = new DurableLosses(at, new MemoryLog());
    first.record(record(counted()), 5);
    first.durable(4);
    expect(existsSync(`${at}.losses.json`), 'the journal does not have them yet').toBe(false);
    first.record(record(counted({ dayStart: 20_000 })), 6);
    first.durable(5);
    const again = new DurableLosses(at, new MemoryLog());
    const restored = again.restored(null);
    expect(restored?.losses).toMatchObject({ dayStart: 10_000, scopes: { bot: { streak: 2 } } });
    again.begin(restored!);
    expect(existsSync(`${at}.losses.json`)).toBe(true);
    again.begin({ ...restored!, losses: undefined });
    expect(existsSync(`${at}.losses.json`)).toBe(false);
  });

  test('is reported if damaged, and the journal counts', () => {
    const at = join(folder, 'two');
    writeFileSync(`${at}.losses.json`, '{"losses": {');
    const log = new MemoryLog();
    const snapshot = { losses: counted() } as KernelSnapshot;
    expect(new DurableLosses(at, log).restored(snapshot)?.losses).toMatchObject({ high: 10_500 });
    expect(log.events()).toEqual(['losses-marker-damaged']);
  });
});

describe('a kill around the commit of a close at a loss', () => {
  const risk = { maxConsecutiveLosses: 10 };
  const streakOf = (losses: SavedLosses | undefined): number => losses?.scopes['bot']?.streak ?? 0;

  /** A position is opened and closed at a loss. Gives the bot, the journal's length before the turn of the close, and what the venue shows. */
  function closed(): { r: Rig; before: number; shown: OrderReport[] } {
    const r = polledRig({}, { risk });
    const shown: OrderReport[] = [];
    const fill = (command: Command, money: object): void => {
      r.venue.accepted(command.seq, `v${command.seq}`);
      shown.push(orderReport(command, 'filled', { averagePrice: 1000, updatedAt: r.clock.time, ...money }));
    };
    const read = (lots: number): void => {
      r.advance(1_000);
      settleReads(r, shown, lots > 0 ? [positionReport(0, lots)] : []);
    };
    r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.1', reason: 'in' });
    fill(r.venue.last(), { fee: 6_000_000 });
    read(100);
    r.ctx().close(r.ctx().markets[0]!, 'LONG', { reason: 'out' });
    fill(r.venue.last(), { fee: 6_000_000, realised: -100_000_000 });
    const before = r.records.length;
    read(0);
    return { r, before, shown };
  }

  test.each([
    ['before it', 'the turn before', 'the turn before'],
    ['between journal and file', 'all', 'the turn before'],
    ['after both', 'all', 'all'],
  ])('%s counts the loss once', (name, journal, file) => {
    const { r, before, shown } = closed();
    const at = join(folder, name.replaceAll(' ', '-'));
    const losses = new DurableLosses(at, new MemoryLog());
    for (const [k, record] of r.records.entries()) losses.record(record, k + 1);
    const upTo = (what: string): number => (what === 'all' ? r.records.length : before);
    losses.durable(upTo(file));
    const left = foldRecords(null, r.records.slice(0, upTo(journal)));
    const again = restarted(new DurableLosses(at, new MemoryLog()).restored(left)!, journal === 'all' ? 0 : 100, { risk });
    for (let k = 0; k < 5; k++) {
      again.advance(1_000);
      settleReads(again, shown, []);
    }
    expect([streakOf(r.kernel.snapshot().losses), streakOf(again.kernel.snapshot().losses)]).toEqual([1, 1]);
  });
});

/** A bot on a polled venue whose account has this equity in USDT. */
function bot(risk: RiskLimits, before: Rig | null, time: number, equity: number): Rig {
  const pushed = { equity: () => equity * USDT, account: () => ({ available: 0, locked: 0, unrealised: 0 }), positions: () => [] };
  const r = rig({}, { risk, pushed });
  r.clock.time = time;
  if (before !== null) r.kernel.restore(foldRecords(null, before.records));
  r.kernel.inbox.start();
  r.advance(1000);
  return r;
}
const halts = (r: Rig): string[] => r.kernel.status().halts.map(({ code }) => code);

describe('two restarts around midnight', () => {
  const risk = { maxDailyLoss: '100' };
  const midnight = START + TO_MIDNIGHT;
  /** Each kernel journals a snapshot; the next one starts with the records of all before it. */
  const chain = (...steps: (readonly [time: number, equity: number])[]): string[][] => {
    let before: Rig | null = null;
    return steps.map(([time, equity]) => {
      const r = bot(risk, before, time, equity);
      if (before !== null) r.records.unshift(...before.records);
      before = r;
      return halts(r);
    });
  };

  test('with a clock that is set back over it and forward again forget no loss', () => {
    const looks = chain([START, 10_000], [midnight + 5_000, 9_960], [midnight - 5_000, 9_930], [midnight + 9_000, 9_899]);
    expect(looks).toEqual([[], [], [], ['daily-loss']]);
  });

  test('count losses while the bot was down over midnight', () => {
    expect(chain([midnight - 60_000, 10_000], [midnight - 5_000, 9_950], [midnight + 5_000, 9_851])).toEqual([[], [], []]);
    expect(chain([midnight - 60_000, 10_000], [midnight - 5_000, 9_950], [midnight + 5_000, 9_850])).toEqual([[], [], ['daily-loss']]);
  });

  test('continue with the days after a clock that was a year ahead', () => {
    const looks = chain([START + 365 * DAY, 10_000], [START, 9_901], [midnight + 1_000, 9_901], [midnight + 2_000, 9_802]);
    expect(looks).toEqual([[], [], [], []]);
    expect(chain([START + 365 * DAY, 10_000], [START, 9_900])).toEqual([[], ['daily-loss']]);
  });
});

test('a deposit hides no loss', () => {
  const seen = (deposit: number): string[] => {
    const r = rig({}, { risk: { maxDailyLoss: '100', maxDrawdown: '100' }, polls: POLLS });
    r.kernel.inbox.start();
    let balance = 10_000;
    for (let step = 0; step < 240; step++) {
      if (step === 80) balance += deposit;
      // Lost without a trade: the cause is not proven, so it counts.
      if (step === 160) balance -= 150;
      for (let k = 0; k < r.open.length; k++) {
        const query = r.open[k]!;
        if (query.kind !== 'account') continue;
        r.open.splice(k--, 1);
        const money = balance * USDT;
        const account = {
          instrument: 0,
          equity: money,
          available: money,
          locked: 0,
          unrealised: 0,
          marginMode: 0,
          longLeverage: 10,
          shortLeverage: 10,
        };
        r.venue.answered(query, { kind: 'account', account } as never, r.clock.time, r.clock.time);
      }
      settleReads(r, [], []);
      r.advance(500);
    }
    return halts(r).filter((code) => code === 'daily-loss' || code === 'drawdown');
  };
  expect([seen(0), seen(1_000)]).toEqual([
    ['daily-loss', 'drawdown'],
    ['daily-loss', 'drawdown'],
  ]);
});
