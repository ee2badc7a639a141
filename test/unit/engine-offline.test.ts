/** While the venue does not know a symbol, lists that leave it out prove nothing: neither that an order is gone nor that a leg is flat. */
import { expect, test } from 'vitest';
import { CANCEL, LONG } from '../../src/domain/codes.ts';
import { createInstrument } from '../../src/domain/instrument.ts';
import { btc, orderReport, polledRig, POLLS, positionReport, rejection, settleReads, type Rig } from '../support/engine-kit.ts';
import { BTCUSDT } from '../support/specs.ts';

/** For `ms` the venue shows nothing of the symbol; E20 says that it does not exist, where `isGone`. */
function away(r: Rig, ms: number, isGone: boolean): void {
  for (let passed = 0; passed < ms; passed += 500) {
    r.advance(500);
    for (let round = 0; round < 3; round++) {
      for (const query of r.open.splice(0)) {
        if (isGone && query.kind === 'positions' && query.instrument === 0) r.kernel.inbox.failed(query, 'unknown-instrument');
        else r.open.push(query);
      }
      settleReads(r, [], []);
    }
  }
}

function offline(r: Rig): void {
  const probe = r.ctx().limit(r.ctx().markets[0]!, 'SHORT', 'OPEN', 1001, 0.01);
  r.kernel.inbox.rejected(probe, { reason: 'unknown-instrument', code: '40034', message: 'symbol does not exist' });
  away(r, 500, true);
  expect(r.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => fields['kind'])).toEqual(['offline']);
}

test('an order of unknown fate is not presumed lost while its symbol is offline, and is when the venue knows it again [X1]', () => {
  const held = polledRig();
  const unknown = held.ctx().limit(held.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
  offline(held);
  // Probes find nothing either.
  held.venue.onExecute = ({ kind, seq }) => void (kind === CANCEL && held.kernel.inbox.rejected(seq, rejection('order-not-found')));
  held.kernel.inbox.unknown(unknown, 'timeout');
  away(held, 200_000, true);
  expect(held.log.events()).not.toContain('presumed-not-landed');
  expect(held.ctx().order(unknown)!.state).toBe('unknown');
  away(held, 5_000, false);
  expect(held.log.events()).toContain('symbol-online');
  away(held, 90_000, false);
  expect(held.log.events()).toContain('presumed-not-landed');
});

test('a leg of a symbol that is offline is not flat because no list shows it [X1]', () => {
  const r = polledRig();
  const [m] = r.ctx().markets;
  const n = r.ctx().open(m!, 'LONG', { size: '0.01' });
  r.kernel.inbox.accepted(n, 'v1');
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

test('a spot symbol that E3 shows offline, or not at all, halts that symbol until two reads know it again [X1] [outcomes E3]', () => {
  const instruments = [btc(), createInstrument({ ...BTCUSDT, product: 'spot' }, 1)];
  const polls = { ...POLLS, periods: { ...POLLS.periods, 'spot-symbols': 1_000 } };
  const r = polledRig({}, { instruments, polls, external: { offline: 'adopt' } });
  const says = (...symbols: string[]): string[] => {
    r.advance(1_000);
    const at = r.open.findIndex(({ kind }) => kind === 'spot-symbols');
    const [query] = r.open.splice(at, 1);
    const status = symbols.map((word) => ({ instrument: 1, status: word }));
    r.kernel.inbox.answered(query!, { kind: 'spot-symbols', symbols: status }, r.clock.time, r.clock.time);
    settleReads(r, [], []);
    return r.kernel.status().halts.map(({ scope, code }) => `${scope} ${code}`);
  };
  const halted = ['symbol:spot:BTCUSDT offline'];
  // The first list of the rig is empty.
  expect([says('online'), says('online')]).toEqual([halted, []]);
  expect(says('offline')).toEqual(halted);
  expect(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, '0.01'), 'the contract goes on').toBeGreaterThan(0);
  const [spot] = r.ctx().spot([{ market: r.ctx().markets[1]!, direction: 'BUY', size: '0.01', limit: 1000 }]);
  expect(spot).toBe(0);
  expect(says('online')).toEqual(halted);
  expect(says()).toEqual(halted);
  expect([says('online'), says('online')]).toEqual([halted, []]);
  expect(r.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => fields['kind'])).toEqual(['offline', 'offline']);
});
