/** While the venue does not know a symbol, lists without it prove nothing: neither that an order is gone nor that a position is flat. */
import { describe, expect, test } from 'vitest';
import { CANCEL, LONG } from '../../../../src/domain/codes.ts';
import { createInstrument } from '../../../../src/domain/instrument.ts';
import {
  btc,
  orderReport,
  polledRig,
  POLLS,
  positionReport,
  rejection,
  settleReads,
  type Rig,
} from '../../../support/engine/engine-kit.ts';
import { BTCUSDT } from '../../../support/specs.ts';

/** For `ms`, the venue shows nothing of the symbol. If `isGone`, reading its positions (E20) says that it does not exist. */
function away(r: Rig, ms: number, isGone: boolean): void {
  for (let passed = 0; passed < ms; passed += 500) {
    r.advance(500);
    for (let round = 0; round < 3; round++) {
      for (const query of r.open.splice(0)) {
        if (isGone && query.kind === 'positions' && query.instrument === 0) r.venue.failed(query, 'unknown-instrument');
        else r.open.push(query);
      }
      settleReads(r, [], []);
    }
  }
}

function offline(r: Rig): void {
  const probe = r.ctx().limit(r.ctx().markets[0]!, 'SHORT', 'OPEN', 1001, 0.01);
  r.venue.rejected(probe, { reason: 'unknown-instrument', code: '40034', message: 'symbol does not exist' });
  away(r, 500, true);
  expect(r.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => fields['kind'])).toEqual(['offline']);
}

test('an order of unknown outcome is not presumed lost while its symbol is offline [X1]', () => {
  const held = polledRig();
  const unknown = held.ctx().limit(held.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
  offline(held);
  // Probes do not find it either.
  held.venue.onExecute = ({ kind, seq }) => void (kind === CANCEL && held.venue.rejected(seq, rejection('order-not-found')));
  held.venue.unknown(unknown, 'timeout');
  away(held, 200_000, true);
  expect(held.log.events()).not.toContain('presumed-not-landed');
  expect(held.ctx().order(unknown)!.state).toBe('unknown');
  away(held, 5_000, false);
  expect(held.log.events()).toContain('symbol-online');
  away(held, 90_000, false);
  expect(held.log.events()).toContain('presumed-not-landed');
});

test('a leg of an offline symbol is not flat because no list shows it [X1]', () => {
  const r = polledRig();
  const [m] = r.ctx().markets;
  const n = r.ctx().open(m!, 'LONG', { size: '0.01' });
  r.venue.accepted(n, 'v1');
  r.advance(500);
  settleReads(r, [orderReport(r.venue.last(), 'filled', { averagePrice: 1000 })], [positionReport(LONG, 10)]);
  expect(m!.long.size).toBe(0.01);
  offline(r);
  away(r, 60_000, true);
  expect(m!.long.size).toBe(0.01);
  expect(r.log.lines.filter(({ event, fields }) => event === 'external' && fields['kind'] === 'position')).toEqual([]);
  away(r, 40_000, false);
  expect(m!.long.size, 'known again, and not there').toBe(0);
});

describe('a spot symbol missing from the symbol list (E3) [X1] [outcomes E3]', () => {
  const HALTED = ['symbol:spot:BTCUSDT offline'];

  /**
   * `r` with the spot symbols (E3) answered with `word` for so many seconds, for polls and other reads. undefined leaves the symbol out.
   */
  function spotRig(): { r: Rig; says: (word: string | undefined, seconds: number) => string[]; place: () => number } {
    const instruments = [btc(), createInstrument({ ...BTCUSDT, product: 'spot' }, 1)];
    const polls = { ...POLLS, periods: { ...POLLS.periods, 'spot-symbols': 60_000 } };
    const r = polledRig({}, { instruments, polls, external: { offline: 'adopt' } });
    const answer = (word: string | undefined): void => {
      const symbols = word === undefined ? [] : [{ instrument: 1, status: word }];
      for (const query of r.open.splice(0)) {
        if (query.kind === 'spot-symbols') r.venue.answered(query, { kind: 'spot-symbols', symbols }, r.clock.time, r.clock.time);
        else r.open.push(query);
      }
      settleReads(r, [], []);
    };
    const says = (word: string | undefined, seconds: number): string[] => {
      for (let k = 0; k < seconds * 2; k++) {
        r.advance(500);
        answer(word);
      }
      return r.kernel.status().halts.map(({ scope, code }) => `${scope} ${code}`);
    };
    const place = (): number => {
      const [n] = r.ctx().spot([{ market: r.ctx().markets[1]!, direction: 'BUY', size: '0.01', limit: 1000 }]);
      if (n! > 0) r.venue.accepted(n!, 'v' + n);
      return n!;
    };
    // The first list of the rig is empty: a claim that the next one ends.
    expect(says('online', 120)).toEqual([]);
    return { r, says, place };
  }

  const told = (r: Rig): unknown[] => r.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => fields['kind']);

  test('one empty list only makes opens of the symbol wait for the next list', () => {
    const { r, says, place } = spotRig();
    expect(place()).toBeGreaterThan(0);
    // The poll falls into this minute, and reads caused by it are answered as before.
    const polls = (): number => r.open.filter(({ kind }) => kind === 'spot-symbols').length;
    while (polls() === 0) r.advance(500);
    expect(says(undefined, 0.5)).toEqual([]);
    expect(place(), 'opens wait').toBe(0);
    expect(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, '0.01'), 'the contract goes on').toBeGreaterThan(0);
    expect(says('online', 3)).toEqual([]);
    expect(place(), 'as soon as a list shows it').toBeGreaterThan(0);
    expect(told(r)).toEqual([]);
  });

  test('absence is accepted after three lists in a row that span the longest lag', () => {
    const { r, says, place } = spotRig();
    const first = says(undefined, 60);
    expect(first).toEqual(HALTED);
    expect(told(r)).toEqual(['offline']);
    expect(place()).toBe(0);
    expect(says('online', 60), 'one list that shows it is a claim as well').toEqual(HALTED);
    expect(says('online', 60)).toEqual([]);
    expect(place()).toBeGreaterThan(0);
  });

  test('absence for less than the longest lag is not accepted, however often', () => {
    const { r, says } = spotRig();
    for (let k = 0; k < 10; k++) expect([...says(undefined, 9), ...says('online', 3)]).toEqual([]);
    expect(told(r)).toEqual([]);
  });

  test('a list that was requested before the last one was processed is no second claim', () => {
    const { r, says } = spotRig();
    const isAsked = (): boolean => r.open.some(({ kind }) => kind === 'spot-symbols');
    const offlineAt = (sentAt: number): number => {
      while (!isAsked()) {
        settleReads(r, [], []);
        r.advance(100);
      }
      r.answer({ kind: 'spot-symbols', symbols: [{ instrument: 1, status: 'offline' }] }, sentAt);
      return r.clock.time;
    };
    const first = offlineAt(r.clock.time);
    offlineAt(first);
    expect(told(r)).toEqual([]);
    offlineAt(r.clock.time);
    expect(told(r)).toEqual(['offline']);
    expect(says('online', 120)).toEqual([]);
  });

  test('the word "offline" is accepted after two lists in a row', () => {
    const { r, says } = spotRig();
    const polls = (): number => r.open.filter(({ kind }) => kind === 'spot-symbols').length;
    while (polls() === 0) r.advance(500);
    expect(says('offline', 0.5)).toEqual([]);
    expect(says('offline', 2.5)).toEqual(HALTED);
    expect(told(r)).toEqual(['offline']);
  });
});
