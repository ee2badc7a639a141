/** The balance (E9) of the whole kernel: before money counts as gone, the order history (E17) says what all orders earned. */
import { expect, test } from 'vitest';
import { CLOSE, LONG } from '../../../../src/domain/codes.ts';
import type { ExternalPolicy } from '../../../../src/domain/messages/external.ts';
import type { OrderReport } from '../../../../src/domain/report.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import { POLLS, rig, START, type Rig } from '../../../support/engine/engine-kit.ts';

const USDT = 100_000_000;

/** The account: what is left of 10,000 USDT, and the history, newest first. */
interface World {
  balance: number;
  history: OrderReport[];
  /** The next reads of the history that fail. */
  failing: number;
}

/** The close of a bracket or of another party: it is not the bot's, and the position was opened and closed between two reads. */
function loss(venueId: string, usdt: number, at: number): OrderReport {
  const price = { type: 1, price: 0, averagePrice: 1_000, size: 10 };
  const money = { fee: -usdt * USDT * 0.1, realised: -usdt * USDT * 0.9 };
  const record = { instrument: 0, venueId, clientId: '', side: LONG, effect: CLOSE, status: 'filled', ...price, ...money };
  return { ...record, createdAt: at, updatedAt: at } as OrderReport;
}

/** Answers all reads for so long; the history comes one record at a time. Returns what was reported. */
function pass(r: Rig, world: World, seconds: number): string[] {
  for (let k = 0; k < seconds * 2; k++) {
    r.advance(500);
    for (let query = r.open.shift(); query !== undefined; query = r.open.shift()) {
      const now = r.clock.time;
      const answer = (given: object): void => r.venue.answered(query, given as never, now, now);
      if (query.kind === 'account') {
        const available = world.balance * USDT;
        const terms = { unrealised: 0, marginMode: 0, longLeverage: 10, shortLeverage: 10 };
        answer({ kind: 'account', account: { instrument: 0, equity: available, available, locked: 0, ...terms } });
      } else if (query.kind === 'history') {
        const { before, since } = query;
        const from = before === undefined ? 0 : world.history.findIndex(({ venueId }) => venueId === before) + 1;
        const [next, more] = world.history.slice(from).filter(({ createdAt }) => createdAt >= since);
        const orders = next === undefined || query.clientId !== '' ? [] : [next];
        if (world.failing > 0) r.venue.failed(query, `timeout ${String(world.failing--)}`);
        else answer({ kind: 'history', orders, ...(more === undefined || orders.length === 0 ? {} : { rest: next!.venueId }) });
      } else if (query.kind === 'positions') answer({ kind: 'positions', positions: [] });
      else if (query.kind === 'pending') answer({ kind: 'pending', orders: [] });
      else if (query.kind === 'trades') answer({ kind: 'trades', trades: [] });
      else if (query.kind === 'quotes') answer({ kind: 'quotes', quotes: [] });
    }
  }
  const told = r.log.lines.filter(({ event }) => event === 'external' || event === 'money-in');
  return told.map(({ event, fields }) => `${event} ${String(fields['amount'])}`);
}

/** A bot that begins on this account, from what an earlier process wrote. */
function begun(world: World, snapshot: KernelSnapshot | null = null, external: Partial<ExternalPolicy> = { transfer: 'adopt' }): Rig {
  const r = rig({}, { polls: POLLS, external });
  r.clock.time = Math.max(START, ...world.history.map(({ updatedAt }) => updatedAt + 30_000));
  if (snapshot !== null) r.kernel.restore(snapshot);
  r.kernel.inbox.start();
  return r;
}

test.each([
  ['nothing left', 0, []],
  ['30 USDT left as well', 30, ['external 30']],
])('brackets that filled between two reads lost 100 USDT, and %s', (_, gone, told) => {
  const world: World = { balance: 10_000, history: [], failing: 0 };
  const r = begun(world);
  expect(pass(r, world, 40)).toEqual([]);
  const at = r.clock.time;
  world.history = [loss('c', 30, at + 3), loss('b', 50, at + 2), loss('a', 20, at + 1)];
  world.balance -= 100 + gone;
  expect(pass(r, world, 60)).toEqual(told);
  expect(pass(r, world, 60)).toEqual(told);
});

test('money that leaves while the history cannot be read is reported without it', () => {
  const world: World = { balance: 10_000, history: [], failing: 0 };
  const r = begun(world);
  pass(r, world, 40);
  world.failing = Infinity;
  world.balance -= 100;
  expect(pass(r, world, 60)).toEqual(['external 100']);
});

test('after a kill, records that are read once more explain nothing a second time', () => {
  const world: World = { balance: 10_000, history: [], failing: 0 };
  const first = begun(world);
  pass(first, world, 40);
  world.history = [loss('a', 100, first.clock.time + 1)];
  world.balance -= 100;
  expect(pass(first, world, 40)).toEqual([]);
  const second = begun(world, foldRecords(null, first.records));
  expect(pass(second, world, 40)).toEqual([]);
  world.balance -= 100;
  expect(pass(second, world, 60)).toEqual(['external 100']);
});

test.each([
  ['300 left', -300, 'over the restart the balance went from 10000 to 9600: order records explain -100, and 300 left besides'],
  ['300 came in', 300, 'over the restart the balance went from 10000 to 10200: order records explain -100, and 300 came in besides'],
  ['nothing else', 0, undefined],
])('a bracket lost 100 USDT while the bot was away, and %s', (_what, moved, text) => {
  const world: World = { balance: 10_000, history: [], failing: 0 };
  const first = begun(world);
  pass(first, world, 40);
  const snapshot = structuredClone(first.kernel.snapshot());
  world.history = [loss('a', 100, first.clock.time + 60_000)];
  world.balance += moved - 100;
  const second = begun(world, snapshot, { transfer: 'halt' });
  pass(second, world, 60);
  expect(second.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => fields['text'])).toEqual(
    text === undefined ? [] : [text],
  );
  expect(second.kernel.status().halts).toEqual([]);
  expect(second.records.filter(({ kind }) => kind === 'balance')).toHaveLength(text === undefined ? 0 : 1);
  // From then on a transfer halts as ever.
  world.balance -= 50;
  pass(second, world, 60);
  expect(second.kernel.status().halts).toMatchObject([{ code: 'external-transfer' }]);
});
