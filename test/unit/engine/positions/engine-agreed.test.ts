/** Up to when reads of the position agreed with the bot: from there on the history is searched for trades of other parties. */
import { expect, test } from 'vitest';
import { LONG } from '../../../../src/domain/codes.ts';
import { btc, orderReport, polledRig, positionReport, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

const BEFORE_MS = 60_000;

/** Advances by `ms` and answers all that is asked for but positions. */
function withoutPositions(r: Rig, ms: number): void {
  r.advance(ms);
  const held = r.open.filter(({ kind }) => kind === 'positions');
  r.open.splice(0, r.open.length, ...r.open.filter(({ kind }) => kind !== 'positions'));
  settleReads(r, [], []);
  r.open.unshift(...held);
}

test('a read of one symbol (E20) agrees with nothing about another: the history of that is searched from the last read of all', () => {
  const r = polledRig({}, { instruments: [btc(), btc(1, 'ETHUSDT')] });
  const [m] = r.ctx().markets;
  r.venue.accepted(r.ctx().open(m!, 'LONG', { size: 0.01 }), 'v1');
  const record = orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: START + 10, updatedAt: START + 20 });
  const held = positionReport(LONG, 10, { updatedAt: START + 20 });
  r.advance(500);
  settleReads(r, [record], [held]);
  withoutPositions(r, 20_000);
  // The list omits the position of the first symbol, which is then read alone, much later.
  const agreedAt = r.clock.time;
  r.answer({ kind: 'positions', positions: [] });
  withoutPositions(r, 200_000);
  const alone = r.open.findIndex((query) => query.kind === 'positions' && query.instrument === 0);
  r.open.unshift(...r.open.splice(alone, 1));
  r.answer({ kind: 'positions', positions: [held] });
  // Another party had opened on the second symbol meanwhile.
  const theirs = positionReport(LONG, 5, { instrument: 1, createdAt: agreedAt + 1_000, updatedAt: agreedAt + 1_000 });
  for (let reads = 0; reads < 2; reads++) {
    withoutPositions(r, 1_000);
    r.answer({ kind: 'positions', positions: [held, theirs] });
  }
  expect(r.open.filter(({ kind }) => kind === 'history')).toMatchObject([{ instrument: 1, since: agreedAt - BEFORE_MS }]);
});

test.each([
  { agoMs: 13_900, size: 0.005, what: 'explains a change at once' },
  { agoMs: 14_000, size: 0, what: 'is contained in it, and the change must be confirmed by reads' },
])('a trade $agoMs ms before the answer without the position, which took 2 s and may lag by 12 s, $what', ({ agoMs, size }) => {
  const r = polledRig();
  const [m] = r.ctx().markets;
  r.venue.accepted(r.ctx().open(m!, 'LONG', { size: 0.01 }), 'v1');
  const opened = orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: START + 10, updatedAt: START + 20 });
  r.advance(500);
  settleReads(r, [opened], [positionReport(LONG, 10, { updatedAt: START + 20 })]);
  withoutPositions(r, 50_000);
  r.venue.accepted(r.ctx().close(m!, 'LONG'), 'v2');
  const closedAt = r.clock.time + 10;
  const closed = orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: closedAt, updatedAt: closedAt });
  r.advance(100);
  const [positions] = r.open.splice(
    r.open.findIndex(({ kind }) => kind === 'positions'),
    1,
  );
  settleReads(r, [closed], []);
  r.advance(3_000);
  r.venue.answered(positions!, { kind: 'positions', positions: [] }, r.clock.time - 2_000, r.clock.time);
  // Another party had opened 5 lots before the bot closed its own.
  const at = r.clock.time - agoMs;
  const theirs = orderReport(r.venue.last(), 'filled', { venueId: 'x', clientId: '', effect: 0, size: 5, createdAt: at, updatedAt: at });
  for (let reads = 0; reads < 2; reads++) {
    r.advance(1_000);
    settleReads(r, [theirs], [positionReport(LONG, 5, { createdAt: at, updatedAt: closedAt })]);
  }
  settleReads(r, [theirs], []);
  expect(m!.long.size).toBe(size);
});

test('where the list lacks a position, the position of the symbol is read once for each list, not again for its own answer', () => {
  const r = polledRig();
  const [m] = r.ctx().markets;
  r.venue.accepted(r.ctx().open(m!, 'LONG', { size: 0.01 }), 'v1');
  const opened = orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: START + 10, updatedAt: START + 20 });
  r.advance(500);
  settleReads(r, [opened], [positionReport(LONG, 10, { updatedAt: START + 20 })]);
  r.advance(20_000);
  settleReads(r, [opened], [positionReport(LONG, 10, { updatedAt: START + 20 })]);
  const asked = { all: 0, alone: 0 };
  for (let k = 0; k < 100; k++) {
    withoutPositions(r, 50);
    for (const query of r.open.splice(0)) {
      if (query.kind === 'positions') asked[query.instrument < 0 ? 'all' : 'alone']++;
      r.venue.answered(query, { kind: 'positions', positions: [] }, r.clock.time, r.clock.time);
    }
  }
  expect(asked.all).toBeGreaterThanOrEqual(4);
  expect(asked.alone).toBeGreaterThan(0);
  expect(asked.alone).toBeLessThanOrEqual(asked.all);
});
