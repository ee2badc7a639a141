/** Withdrawals (E5) across a kill: they are journaled before they are reported, and those during downtime are reported. */
import { expect, test } from 'vitest';
import { LONG } from '../../../../src/domain/codes.ts';
import type { PositionReport, WithdrawalReport } from '../../../../src/domain/report.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import { btc, polledRig, POLLS, positionReport, rig, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

const polls = { ...POLLS, periods: { ...POLLS.periods, withdrawals: 1_000 } };

function withdrawal(id: string): WithdrawalReport {
  return { id, coin: 'USDT', size: '5', status: 'pending', toAddress: 'x' };
}

/** A bot that reads these withdrawals once, starting from `snapshot`. */
function reads(snapshot: KernelSnapshot | null, ids: readonly string[]): Rig {
  const r = rig({}, { polls });
  if (snapshot !== null) r.kernel.restore(snapshot);
  r.kernel.inbox.start();
  r.advance(2_000);
  r.answer({ kind: 'withdrawals', withdrawals: ids.map(withdrawal) });
  return r;
}

function told(r: Rig): unknown[] {
  return r.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => fields['id']);
}

/** For so long, every read of the account shows this balance, and every read of positions these. True if a transfer was reported so far. */
function pass(r: Rig, seconds: number, available: number, positions: readonly PositionReport[] = []): boolean {
  const account = { instrument: 0, equity: available, available, locked: 0, unrealised: 0, marginMode: 0, longLeverage: 10 };
  for (let k = 0; k < seconds * 2; k++) {
    r.advance(500);
    while (r.open.length > 0) {
      const asked = r.open.splice(0);
      r.open.push(...asked.filter(({ kind }) => kind !== 'account'));
      settleReads(r, [], positions);
      for (const query of asked.filter(({ kind }) => kind === 'account')) {
        const answer = { kind: 'account', account: { ...account, shortLeverage: 10 } as never } as const;
        r.venue.answered(query, answer, r.clock.time, r.clock.time);
      }
    }
  }
  return r.log.lines.some(({ event, fields }) => event === 'external' && fields['kind'] === 'transfer');
}

test('a kill before the first snapshot neither repeats nor hides a withdrawal', () => {
  const first = reads(null, ['1']);
  expect(told(first), 'it was there before the bot').toEqual([]);
  const second = reads(foldRecords(null, first.records), ['2', '1']);
  expect(told(second)).toEqual(['2']);
  const third = reads(foldRecords(foldRecords(null, first.records), second.records), ['3', '2', '1']);
  expect(told(third)).toEqual(['3']);
});

test('an empty first list counts as known', () => {
  const first = reads(null, []);
  expect(told(reads(foldRecords(null, first.records), ['1']))).toEqual(['1']);
});

test('an order of unknown outcome may have moved the balance: nothing is reported before it is known', () => {
  const judged = (hasOrder: boolean, isBefore = false): { early: boolean; late: boolean } => {
    const r = polledRig({}, { external: { transfer: 'adopt' } });
    pass(r, 30, 1e12);
    if (isBefore) pass(r, 6, 9e11);
    if (hasOrder) r.venue.unknown(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01), 'timeout');
    return { early: pass(r, 40, 9e11), late: pass(r, 200, 9e11) };
  };
  expect(judged(false)).toEqual({ early: true, late: true });
  expect(judged(true)).toEqual({ early: false, late: true });
  // What left before the order was placed is not its doing.
  expect(judged(true, true)).toEqual({ early: true, late: true });
});

test.each([
  [100_000, false],
  [10_000, true],
])(
  'a position of 100 lots that another party opened, at %d ticks, may have cost its value: 500 are told, and halt only beyond it',
  (bid, isTransfer) => {
    const external = { position: 'adopt', transfer: 'halt' } as const;
    const r = polledRig({}, { instruments: [btc(), btc(1, 'ETHUSDT')], external });
    r.kernel.inbox.onQuote(1, bid, 5_000, bid + 2, 5_000);
    pass(r, 30, 1e12);
    const opened = positionReport(LONG, 100, { instrument: 1, createdAt: r.clock.time, updatedAt: r.clock.time });
    // 500 USDT are gone.
    expect(pass(r, 100, 9.5e11, [opened])).toBe(true);
    const [line] = r.log.lines.filter(({ fields }) => fields['kind'] === 'transfer');
    expect(String(line!.fields['text']).includes('may be as much')).toBe(!isTransfer);
    expect(r.kernel.status().haltedAll).toBe(isTransfer ? 'external-transfer' : '');
    expect(r.kernel.markets[1]!.long.size).toBe(0.1);
  },
);
