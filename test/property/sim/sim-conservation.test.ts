/**
 * A million events on complex venues: tiers, funding, isolated margin changes, liquidations, trades between accounts, deposits and
 * withdrawals. After every event all money and coins of all accounts and of the clearing account are summed again; sometimes everything
 * else too.
 */
import { expect, test } from 'vitest';
import { Digest } from '../../../src/base/digest.ts';
import type { FillModel } from '../../../src/sim/state/types.ts';
import { RandomFlow, type FlowSpec } from '../../support/sim/sim-flow.ts';

const EVENTS = 1_008_000;
const FLOWS: readonly FlowSpec[] = (['touch', 'through', 'queue'] as const satisfies FillModel[]).flatMap((fillModel, k) =>
  [false, true].map((crossing) => ({ seed: 100 + k, fillModel, crossing, isRich: true })),
);

test('money is neither created nor lost, to the last digit, over a million events', () => {
  const seen = new Map<string, number>();
  const note = (what: string, times = 1): unknown => seen.set(what, (seen.get(what) ?? 0) + times);
  for (const spec of FLOWS) {
    const flow = new RandomFlow(spec);
    const { sim, log } = flow;
    for (let k = 1; k <= EVENTS / FLOWS.length; k++) {
      flow.step();
      sim.assertConserved();
      if (k % 500 === 0) sim.audit();
    }
    sim.audit();
    note('fills', log.fills.length);
    for (const { step } of log.steps) note(step);
    for (const { why } of log.moves) note(why);
    // The ledger's lines give the same money.
    for (let account = 0; account < flow.accounts; account++) {
      const { deposits, realised, fees, funding, insurance } = sim.totals(account);
      expect(flow.cash(account, 'USDT')).toBe(deposits + realised - fees + funding + insurance + flow.spotHolding(account, 'USDT'));
      expect(flow.cash(account, 'BTC')).toBe(flow.spotHolding(account, 'BTC'));
    }
  }
  console.info([...seen].map(([what, times]) => `${what} ${times}`).join(', '));
  for (const what of ['fills', 'funding', 'cancel', 'reduce', 'close', 'insurance', 'liquidation', 'realised', 'spot']) {
    expect(seen.get(what) ?? 0, what).toBeGreaterThan(20);
  }
});

test('a complex flow continues equally from its snapshot, and is equal for equal seeds', () => {
  const digestOf = ({ log }: RandomFlow, from = { fills: 0, moves: 0 }): string => {
    const digest = new Digest();
    for (const line of [...log.fills.slice(from.fills), ...log.moves.slice(from.moves)]) digest.text(JSON.stringify(line));
    return digest.hex();
  };
  const flow = new RandomFlow({ seed: 9, fillModel: 'queue', crossing: true, isRich: true });
  for (let k = 0; k < 6_000; k++) flow.step();
  const again = new RandomFlow({ seed: 9, fillModel: 'queue', crossing: true, isRich: true });
  for (let k = 0; k < 6_000; k++) again.step();
  expect(digestOf(again)).toBe(digestOf(flow));
  const twin = flow.twin(JSON.parse(JSON.stringify(flow.sim.snapshot())) as ReturnType<typeof flow.sim.snapshot>);
  const from = { fills: flow.log.fills.length, moves: flow.log.moves.length };
  for (let k = 0; k < 4_000; k++) {
    flow.step();
    twin.step();
  }
  expect(twin.sim.snapshot()).toEqual(flow.sim.snapshot());
  // The new simulator's reports of its deposits are not events since then.
  const told =
    twin.log.moves.filter((move) => move.why === 'deposit').length -
    flow.log.moves.slice(from.moves).filter((m) => m.why === 'deposit').length;
  expect(digestOf(twin, { fills: 0, moves: told })).toBe(digestOf(flow, from));
});
