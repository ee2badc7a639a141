/** After a restart a strategy no longer trades one of its symbols: what it left there is kept and reported, and its orders are cancelled. */
import { expect, test } from 'vitest';
import type { KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { StrategyContext } from '../../../../src/engine/strategy/definition/types.ts';
import {
  btc,
  orderReport,
  polledRig,
  POLLS,
  positionReport,
  rig,
  settleReads,
  START,
  type Rig,
} from '../../../support/engine/engine-kit.ts';

const INSTRUMENTS = [btc(), btc(1, 'ETHUSDT')];

/** A trade of 10 lots and an iceberg with an order at the venue on BTCUSDT, a trade on ETHUSDT, by strategy "probe". */
function before(): { r: Rig; snapshot: KernelSnapshot; trade: number; iceberg: number; child: number } {
  const r = polledRig({}, { instruments: INSTRUMENTS });
  for (const i of [0, 1]) r.kernel.inbox.onQuote(i, 10_000, 5_000, 10_002, 5_000);
  const [market, other] = r.ctx().markets;
  const trade = r.ctx().enter({ market: market!, side: 'LONG', size: '0.01', stopLoss: 980 })!.id;
  r.ctx().enter({ market: other!, side: 'LONG', size: '0.01', stopLoss: 980 });
  for (const command of r.venue.commands.splice(0)) {
    r.venue.accepted(command.seq, `v${command.seq}`);
    r.venue.pushedFill(command.seq, 10, 10_002);
  }
  const iceberg = r.ctx().iceberg({ market: market!, side: 'LONG', size: '0.01', limit: 999, show: '0.004' })!.id;
  r.kernel.inbox.runTimers(r.clock.time);
  const child = r.venue.last();
  r.venue.accepted(child.seq, `v${child.seq}`);
  return { r, snapshot: foldRecords(null, r.records), trade, iceberg, child: child.seq };
}

/** The same strategy again, on these instruments; armed, with the child order of the iceberg resting. */
function restarted(snapshot: KernelSnapshot, instruments: readonly number[], child: Parameters<typeof orderReport>[0]) {
  const contexts: StrategyContext[] = [];
  const heard: string[] = [];
  const strategy = defineStrategy({
    name: 'probe',
    create: () => ({
      onStart: (ctx) => void contexts.push(ctx),
      onOrder: ({ order, state }) => void heard.push(`${order.market.symbol} ${state}`),
      onFill: ({ order, size }) => void heard.push(`${order} ${size} fill`),
    }),
  });
  const fresh = rig({}, { polls: POLLS, instruments: INSTRUMENTS, strategies: [{ strategy, instruments }] });
  fresh.kernel.restore(snapshot);
  fresh.kernel.inbox.start();
  for (let k = 0; k < 20 && fresh.kernel.phase !== 'armed'; k++) {
    settleReads(
      fresh,
      [orderReport(child, 'open')],
      [0, 1].map((instrument) => ({ ...positionReport(0, 10), instrument })),
    );
    fresh.advance(500);
  }
  return { fresh, ctx: contexts[0]!, heard };
}

const logged = (r: Rig, name: string): unknown[] => r.log.lines.filter(({ event }) => event === name).map(({ fields }) => fields);

test('trades and executions of a symbol that their strategy no longer trades are named, kept, and taken back later', () => {
  const { r, snapshot, trade, iceberg } = before();
  const command = r.venue.last();
  const { fresh, ctx } = restarted(snapshot, [1], command);
  expect(ctx.trades()).toMatchObject([{ market: { symbol: 'ETHUSDT' }, size: 0.01 }]);
  expect(ctx.executions()).toEqual([]);
  expect(logged(fresh, 'trade-without-strategy')).toMatchObject([{ strategy: 'probe', symbol: 'BTCUSDT', side: 'LONG', venueStop: 980 }]);
  expect(logged(fresh, 'execution-without-strategy')).toEqual([
    { strategy: 'probe', id: iceberg, kind: 'iceberg', symbol: 'BTCUSDT', since: START + 1 },
  ]);

  const again = fresh.kernel.snapshot();
  const sorted = (of: KernelSnapshot): unknown => [...of.trades!['probe']!].sort((a, b) => a.id - b.id);
  expect(sorted(again)).toEqual(sorted(snapshot));
  expect(again.executions).toEqual(snapshot.executions);
  const { ctx: both } = restarted(again, [0, 1], command);
  expect(both.trades(both.markets[0])).toMatchObject([{ id: trade, size: 0.01, venueStop: 980 }]);
  expect(both.executions()).toMatchObject([{ id: iceberg, kind: 'iceberg' }]);
});

test('an order on a symbol that its strategy no longer trades is cancelled, as one of a strategy that does not run', () => {
  const { r, snapshot, child } = before();
  const { fresh } = restarted(snapshot, [1], r.venue.last());
  expect(fresh.venue.commands.map(({ kind, target }) => [kind, target])).toEqual([[3, child]]);
  expect(restarted(snapshot, [0, 1], r.venue.last()).fresh.venue.commands).toEqual([]);
});

test('handlers hear nothing of a symbol that was removed: neither its orders nor their fills', () => {
  const { r, snapshot, child } = before();
  const command = r.venue.last();
  for (const [instruments, told] of [
    [[1], []],
    [[0, 1], expect.arrayContaining(['BTCUSDT filled', `${child} 0.004 fill`])],
  ] as const) {
    const { fresh, heard } = restarted(snapshot, instruments, command);
    fresh.venue.pushedFill(child, command.size, 999);
    expect([heard, fresh.log.lines.filter(({ event }) => event === 'strategy-error')]).toEqual([told, []]);
  }
});

test('what a reduction closes while the strategy does not trade its symbol is in the trade that it gets back', () => {
  const r = polledRig({}, { instruments: INSTRUMENTS });
  for (const i of [0, 1]) r.kernel.inbox.onQuote(i, 10_000, 5_000, 10_002, 5_000);
  const trade = r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', size: '0.01', stopLoss: 980 })!;
  r.venue.accepted(trade.id, 'entry');
  r.venue.pushedFill(trade.id, 10, 10_002);
  trade.reduce({ size: '0.004', limit: 1010, reason: 'part' });
  const part = r.venue.last();
  r.venue.accepted(part.seq, `v${part.seq}`);
  const { fresh } = restarted(foldRecords(null, r.records), [1], part);
  fresh.venue.pushedFill(part.seq, 4, 10_100);
  expect(fresh.kernel.snapshot().trades?.['probe']).toMatchObject([
    { id: trade.id, exitedLots: 4, reducedLots: 4, exits: [{ why: 'part', size: 0.004, price: 1010 }] },
  ]);
});

test('a position that an order opens on a symbol which its strategy no longer trades is named once, as those at the start', () => {
  const r = polledRig({}, { instruments: INSTRUMENTS });
  r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  const market = r.ctx().markets[0]!;
  r.ctx().open(market, 'SHORT', { size: '0.01', limit: 1010 });
  const order = r.venue.last();
  r.venue.accepted(order.seq, `v${order.seq}`);
  const { fresh } = restarted(foldRecords(null, r.records), [1], order);
  const left = (): unknown => logged(fresh, 'position-without-strategy');
  const long = { symbol: 'BTCUSDT', side: 'LONG', size: '0.010' };
  expect(left()).toMatchObject([long]);
  for (let k = 0; k < 2; k++) fresh.venue.pushedFill(order.seq, 4, 10_100);
  expect(left()).toMatchObject([long, { symbol: 'BTCUSDT', side: 'SHORT', size: '0.004', own: '0.004' }]);
});
