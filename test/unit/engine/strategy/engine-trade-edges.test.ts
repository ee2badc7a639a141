/** Managed trades at their edges: entries that fill in part, sizes below the smallest order, stops that are due during a halt or a gap. */
import { expect, test } from 'vitest';
import { CANCEL } from '../../../../src/domain/codes.ts';
import { createInstrument } from '../../../../src/domain/instrument.ts';
import { CANCELLED } from '../../../../src/domain/orders/order.ts';
import type { EnterFields, ManagedTrade } from '../../../../src/engine/trades/trade-types.ts';
import { pushedRig, type Rig } from '../../../support/engine/engine-kit.ts';
import { BTCUSDT } from '../../../support/specs.ts';

type Fields = Omit<EnterFields, 'market' | 'side'>;

interface Edge extends Rig {
  readonly enter: (fields: Fields) => ManagedTrade;
  readonly fill: (n: number, lots: number, price: number) => void;
  readonly quote: (price: number, ms?: number) => void;
  readonly exits: string[];
  /** Kind, lots and target of the commands from number `from` on. */
  readonly sent: (from: number) => readonly (readonly [kind: number, size: number, target: number])[];
}

function edge(minSize = '0.001'): Edge {
  const exits: string[] = [];
  const said = (trade: ManagedTrade): string => trade.exits.map(({ why, size, price }) => `${why} ${size} at ${price}`).join(', ');
  const r = pushedRig({ onExit: (trade) => void exits.push(said(trade)) }, { instruments: [createInstrument({ ...BTCUSDT, minSize }, 0)] });
  return {
    ...r,
    exits,
    enter: (fields) => r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', ...fields })!,
    fill(n, lots, price) {
      r.venue.accepted(n, `v${n}`);
      r.venue.pushedFill(n, lots, price * 10);
    },
    quote(price, ms = 10) {
      r.advance(ms);
      r.kernel.inbox.onQuote(0, price * 10, 5_000, price * 10 + 2, 5_000);
    },
    sent: (from) => r.venue.commands.slice(from).map(({ kind, size, target }) => [kind, size, target] as const),
  };
}

test('what has not filled of the entry when it expires is cancelled, what has filled is held', () => {
  const r = edge();
  const trade = r.enter({ size: '0.01', limit: 1000, expiresInMs: 1_000, stopLoss: 980, ladder: [{ at: 995, size: '0.01' }] });
  r.fill(trade.id, 4, 1000);
  r.venue.accepted(trade.id + 1, 'rung');
  r.quote(1001);
  r.advance(980);
  expect(r.sent(2)).toEqual([]);
  r.advance(20);
  expect(r.sent(2)).toEqual([[CANCEL, 0, trade.id]]);
  r.venue.pushedEnd(trade.id, CANCELLED);
  r.advance(60_000);
  expect(trade).toMatchObject({ state: 'open', size: 0.004, venueStop: 980 });
  expect(r.sent(3)).toEqual([]);
});

test('a share below the smallest order gets none, and is not asked for again and again', () => {
  const r = edge('0.005');
  const trade = r.enter({ size: '0.02', stopLoss: 980, takeProfit: [{ at: 1010, share: 0.2 }] });
  r.fill(trade.id, 20, 1000);
  for (let k = 0; k < 50; k++) r.quote(1011, 100);
  expect(r.sent(1)).toEqual([]);
  expect(r.log.events()).not.toContain('intent-refused');
});

test('a rest below the smallest order goes with the last share: no order could close it while others hold more of the leg', () => {
  const r = edge('0.005');
  const trade = r.enter({ size: '0.01', stopLoss: 980, takeProfit: [{ at: 1010, share: 0.7 }] });
  r.fill(trade.id, 10, 1000);
  r.fill(r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01' }), 10, 1000);
  r.quote(1011);
  expect(r.venue.last()).toMatchObject({ effect: 1, size: 10 });
  r.fill(r.venue.last().seq, 10, 1011);
  expect(r.exits).toEqual(['target 0.01 at 1011']);
});

test('a time stop that is due during a halt closes', () => {
  const r = edge();
  const trade = r.enter({ size: '0.01', stopLoss: 980, maxHoldMs: 1_000 });
  r.fill(trade.id, 10, 1000);
  r.kernel.inbox.operate({ name: 'halt', scope: 'all', by: 'ann', why: 'a test' });
  r.quote(1000, 999);
  expect(r.sent(1)).toEqual([]);
  r.advance(1);
  expect(r.venue.last()).toMatchObject({ effect: 1, size: 10 });
  r.fill(r.venue.last().seq, 10, 1000);
  expect(r.exits).toEqual(['time 0.01 at 1000']);
});

test('after a gap through a target and back through the stop, no lot is closed twice', () => {
  const r = edge();
  const trade = r.enter({ size: '0.01', stopLoss: 900, trailing: { distance: 5 }, takeProfit: [{ at: 1010, share: 0.5 }] });
  r.fill(trade.id, 10, 1000);
  r.quote(1015);
  r.quote(960);
  expect(r.sent(1), 'the target is under way').toHaveLength(1);
  r.fill(r.venue.last().seq, 5, 960);
  expect(r.venue.last()).toMatchObject({ effect: 1, size: 5 });
  r.fill(r.venue.last().seq, 5, 955);
  expect(r.exits).toEqual(['target 0.005 at 960, trailing-stop 0.005 at 955']);
});
