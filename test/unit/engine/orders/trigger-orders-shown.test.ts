/** What `orders` shows of a trigger order: live, after a restart from journal or snapshot, and from journals of older versions. */
import { expect, test } from 'vitest';
import { controlText } from '../../../../src/cli/bot/control-text.ts';
import type { OrderAnswer } from '../../../../src/control/answers.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import type { SavedOrder } from '../../../../src/engine/state/records/saved.ts';
import { orderOf } from '../../../../src/run/bot/answers/views.ts';
import { WIDE_LIMITS } from '../../../support/specs.ts';
import { btc, pushedRig, rig, type Rig } from '../../../support/engine/engine-kit.ts';

const FACTS = {
  instruments: [btc()],
  ids: { idOf: (seq: number): string => `id${seq}`, placerOf: () => undefined },
  bracketOf: () => undefined,
};
const shown = (orders: readonly SavedOrder[]): OrderAnswer[] => orders.map((order) => orderOf(order, FACTS));

/** A market order that the mark price fires, a limit order that the last price fires, and an ordinary limit order. */
function placed(): Rig {
  const r = pushedRig({}, { instruments: [btc()], risk: { ...WIDE_LIMITS } });
  r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  const [market] = r.ctx().markets;
  r.ctx().placeTrigger({ market: market!, side: 'LONG', size: '0.01', trigger: 1010, triggerBy: 'MARK' });
  r.ctx().placeTrigger({ market: market!, side: 'SHORT', size: '0.01', trigger: 990, limit: 989.5 });
  r.ctx().limit(market!, 'LONG', 'OPEN', 999, '0.01');
  return r;
}

const EXPECTED = [
  { kind: 'trigger', type: 'MARKET', price: '', trigger: '1010.0', triggerBy: 'MARK' },
  { kind: 'trigger', type: 'LIMIT', price: '989.5', trigger: '990.0', triggerBy: 'LAST' },
  { kind: 'order', type: 'LIMIT', price: '999.0', trigger: '', triggerBy: '' },
];

/** The live orders of a kernel that starts with this snapshot. */
function restored(snapshot: KernelSnapshot): OrderAnswer[] {
  const next = rig();
  next.kernel.restore(snapshot);
  return shown(next.kernel.liveOrders());
}

test('a trigger order shows the price that fires it, before and after a restart', () => {
  const r = placed();
  expect(shown(r.kernel.liveOrders())).toMatchObject(EXPECTED);
  expect(restored(foldRecords(null, r.records))).toMatchObject(EXPECTED);
  expect(restored(r.kernel.snapshot())).toMatchObject(EXPECTED);
  expect(restored(JSON.parse(JSON.stringify(r.kernel.snapshot())) as KernelSnapshot)).toMatchObject(EXPECTED);
});

test('a trigger order of an older snapshot is restored without its trigger', () => {
  const snapshot = placed().kernel.snapshot();
  const orders = snapshot.orders.map(({ trigger: _price, triggerBy: _by, ...order }) => order);
  expect(restored({ ...snapshot, orders })).toMatchObject([
    { kind: 'trigger', type: 'MARKET', price: '', trigger: '' },
    { kind: 'trigger', price: '989.5', trigger: '' },
    { kind: 'order', price: '999.0', trigger: '' },
  ]);
});

test('the terminal shows the trigger beside the price', () => {
  const text = controlText(
    'orders',
    { orders: shown(placed().kernel.liveOrders()) },
    { isStopped: false, paint: (_, word) => word, width: 80 },
  );
  expect(text).toMatch(/ LONG OPEN +market at 1010\.0 mark /);
  expect(text).toMatch(/ SHORT OPEN +989\.5 at 990\.0 /);
  expect(text).toMatch(/ LONG OPEN +999\.0 /);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});
