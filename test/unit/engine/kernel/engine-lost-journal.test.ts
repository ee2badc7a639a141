/** A new journal: what the first reads show of the account decides whether a person must confirm it. */
import { expect, test } from 'vitest';
import { LONG, SHORT } from '../../../../src/domain/codes.ts';
import { ClientIds } from '../../../../src/domain/orders/client-ids.ts';
import { formatClientId, parseClientId, type IdentitySpec } from '../../../../src/domain/orders/command.ts';
import type { OrderReport } from '../../../../src/domain/report.ts';
import { orderReport, polledRig, POLLS, positionReport, rig, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

const OWN: IdentitySpec = { bot: 'tw', epoch: START / 1000 };

interface Account {
  /** Positions in symbols without rules. */
  readonly unruled?: readonly { symbol: string; side: number; size: string }[];
  readonly orders?: readonly OrderReport[];
  readonly ids?: ClientIds;
}

/** Starts with a new journal; `lots` of each read of the positions in turn. */
function started(lots: (nth: number) => number, { unruled = [], orders = [], ids = ClientIds.begin(OWN) }: Account = {}): Rig {
  const r = rig({}, { polls: POLLS, isNewJournal: true, ids });
  r.kernel.inbox.start();
  let nth = 0;
  for (let k = 0; k < 100 && r.kernel.phase !== 'armed'; k++) {
    const reads = r.open.filter(({ kind }) => kind === 'positions');
    const others = r.open.filter(({ kind }) => kind !== 'positions');
    r.open.splice(0, r.open.length, ...others);
    settleReads(r, orders, []);
    for (const query of reads) {
      const held = lots(nth++);
      const positions = held > 0 ? [positionReport(LONG, held)] : [];
      r.venue.answered(query, { kind: 'positions', positions, unruled }, r.clock.time, r.clock.time);
    }
    r.advance(200);
  }
  expect(r.kernel.phase).toBe('armed');
  return r;
}

const halts = (r: Rig): string[] => r.kernel.halts().map(({ code, detail }) => `${code}: ${detail}`);

test('an empty account is a first start', () => {
  expect(halts(started(() => 0))).toEqual([]);
});

test('a position halts, also one in a symbol without rules', () => {
  expect(halts(started(() => 10))).toEqual([expect.stringMatching(/^journal-lost: .*the account holds BTCUSDT LONG 0\.010/)]);
  const other = started(() => 0, { unruled: [{ symbol: 'DOGEUSDT', side: SHORT, size: '1500' }] });
  expect(halts(other)).toEqual([expect.stringMatching(/^journal-lost: .*the account holds DOGEUSDT SHORT 1500/)]);
});

test('a position that changes from read to read halts, although its size is not known yet', () => {
  const r = started((nth) => 10 + nth);
  expect(halts(r).some((halt) => halt.startsWith('journal-lost'))).toBe(true);
});

test.each([
  ['the second before', -1],
  ['the same second', 0],
  ['a later second, by a clock that is ahead', 10],
])('orders of another journal of %s halt until a person confirms them, and the bot uses no id of theirs', (_name, later) => {
  const epoch = OWN.epoch + later;
  const other = polledRig();
  const shown = ['filled', 'open'].map((status, k) => {
    other.ctx().limit(other.ctx().markets[0]!, 'LONG', 'OPEN', 900, '0.01');
    const clientId = formatClientId({ ...OWN, epoch }, k + 1);
    return orderReport(other.venue.last(), status as OrderReport['status'], { clientId, createdAt: START - 1_000 });
  });
  const ids = ClientIds.begin(OWN);
  const r = started(() => 0, { orders: [...shown].reverse(), ids });
  expect(halts(r)).toEqual([expect.stringMatching(/^journal-lost: .*the venue shows orders of this bot such as tw-/)]);
  r.kernel.inbox.operate({ name: 'resume', scope: 'all', confirmed: true, by: 'me', why: 'looked' });
  for (let k = 0; k < 5; k++) {
    r.advance(1_000);
    settleReads(r, shown, []);
  }
  expect(r.kernel.halts()).toEqual([]);
  expect(r.log.events().filter((event) => event === 'id-collision')).toEqual([]);
  expect(r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01', reason: 'in' })).toBeGreaterThan(0);
  expect(parseClientId(OWN.bot, ids.idOf(r.venue.last().seq)).epoch).toBeGreaterThan(epoch);
});
