/** Random order flow on a random market: after every event, all values that the simulator keeps twice agree to the last digit. */
import { describe, expect, test } from 'vitest';
import { Digest } from '../../../src/base/digest.ts';
import { jsonPieces } from '../../../src/base/lazy.ts';
import { Random } from '../../../src/base/random.ts';
import { emptyCommand } from '../../../src/domain/orders/command.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import type { FillModel } from '../../../src/sim/state/types.ts';
import { RandomFlow, type Venueish } from '../../support/sim/sim-flow.ts';
import { Recorder } from '../../support/sim/sim-kit.ts';

/** Listens only to fills, as a backtest does. */
class FillsOnly extends Recorder {
  readonly wantsFillsAlone = true;
}

const CALLS = [
  'quote', 'trade', 'place', 'placeTrigger', 'modify', 'cancel', 'placeSpot', 'cancelSpot', 'setMarginMode', 'adjustMargin',
] as const satisfies (keyof Venueish)[]; // prettier-ignore

/** Passes every call to both venues, whose results must be equal. */
function both(one: Venueish, other: Venueish): Venueish {
  const callOf = (name: keyof Venueish): [string, (...given: never[]) => unknown] => {
    const call = (venue: Venueish, given: never[]): unknown => Reflect.apply(venue[name], venue, given);
    return [
      name,
      (...given) => {
        const answer = call(one, given);
        expect(call(other, given)).toBe(answer);
        return answer;
      },
    ];
  };
  return Object.fromEntries(CALLS.map(callOf)) as unknown as Venueish;
}

/** Moves an order by a tick or two, mostly a new one. */
function move(venue: Venueish, { sim, accounts, now }: RandomFlow, random: Random): void {
  const account = random.below(accounts);
  const orders = sim.pending(account, random.below(2)).filter((one) => one.price > 0);
  const one = orders[Math.min(random.below(4), orders.length - 1)];
  if (one === undefined) return;
  const takeProfit = random.below(5) === 0 ? one.price + 10 : 0;
  venue.modify(account, one.no, Object.assign(emptyCommand(), { price: one.price + random.below(5) - 2, takeProfit }), 0, now);
}

describe('random order flow', () => {
  for (const fillModel of ['touch', 'through', 'queue'] as const satisfies FillModel[]) {
    test(`conserves money at every event (${fillModel})`, () => {
      let fills = 0;
      let liquidations = 0;
      const refused = new Set<string>();
      for (let seed = 1; seed <= 10; seed++) {
        const flow = new RandomFlow({ seed, fillModel });
        for (let k = 0; k < 12_000; k++) {
          flow.step();
          flow.sim.audit();
        }
        fills += flow.log.fills.length;
        liquidations += flow.liquidations();
        for (const reason of flow.refusals.keys()) refused.add(reason);
      }
      expect(fills).toBeGreaterThan(5_000);
      expect(liquidations).toBeGreaterThan(0);
      expect(refused.size).toBeGreaterThan(8);
    });
  }

  test('the cash lines of the ledger add up to equity and balances', () => {
    const flow = new RandomFlow({ seed: 5, fillModel: 'queue' });
    for (let k = 0; k < 20_000; k++) flow.step();
    for (let a = 0; a < flow.accounts; a++) {
      const { deposits, realised, fees, funding, insurance, unrealised } = flow.sim.totals(a);
      const spotCoins = new Set(['BTC']);
      const told = flow.cash(a, 'USDT');
      const spotQuote = flow.spotHolding(a, 'USDT');
      expect(told).toBe(deposits + realised - fees + funding + insurance + spotQuote);
      expect(flow.sim.equity(a)).toBe(deposits + realised - fees + funding + insurance + unrealised);
      for (const coin of spotCoins) expect(flow.cash(a, coin)).toBe(flow.spotHolding(a, coin));
    }
  });

  test('is the same for the same seed and another for another', () => {
    const digestOf = (seed: number): string => {
      const flow = new RandomFlow({ seed, fillModel: 'queue' });
      for (let k = 0; k < 5_000; k++) flow.step();
      const digest = new Digest();
      for (const fill of flow.log.fills) for (const value of Object.values(fill)) digest.integer(value as number);
      return digest.hex();
    };
    expect(digestOf(1)).toBe(digestOf(1));
    expect(digestOf(1)).not.toBe(digestOf(2));
  });

  test.each(['touch', 'through', 'queue'] as const)('is the same if only fills are reported and no order is kept (%s)', (fillModel) => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = new Random(seed);
      const flow = new RandomFlow({ seed, fillModel });
      const heard = new FillsOnly();
      const quiet = new VenueSim({ ...flow.spec, historyLimit: 0, keepTrades: 0, keepStats: false }, heard);
      const venue = both(flow.sim, quiet);
      const seen = (sim: VenueSim): unknown[] =>
        Array.from({ length: flow.accounts }, (_, a) => [sim.pending(a, -1), sim.positions(a, -1), sim.balances(a), sim.totals(a)]);
      for (let k = 1; k <= 6_000; k++) {
        flow.step(venue);
        move(venue, flow, random);
        if (k % 200 > 0) continue;
        quiet.audit();
        expect(seen(quiet)).toEqual(seen(flow.sim));
      }
      expect(heard.fills).toEqual(flow.log.fills);
      expect([heard.orders, heard.ends, heard.moves]).toEqual([[], [], []]);
    }
  });

  test('continues equally from a snapshot taken anywhere', () => {
    const random = new Random(3);
    for (const fillModel of ['touch', 'through', 'queue'] as const) {
      for (let turn = 0; turn < 6; turn++) {
        const flow = new RandomFlow({ seed: random.uint32(), fillModel });
        const before = 200 + random.below(3_000);
        for (let k = 0; k < before; k++) flow.step();
        const saved = JSON.parse(JSON.stringify(flow.sim.snapshot())) as ReturnType<typeof flow.sim.snapshot>;
        const twin = flow.twin(saved);
        twin.sim.audit();
        expect(twin.sim.snapshot()).toEqual(flow.sim.snapshot());
        const from = flow.log.fills.length;
        for (let k = 0; k < 800; k++) {
          flow.step();
          twin.step();
        }
        expect(twin.log.fills).toEqual(flow.log.fills.slice(from));
        expect(twin.sim.snapshot()).toEqual(flow.sim.snapshot());
      }
    }
  });

  test('is written as of one moment, while it continues', () => {
    const random = new Random(4);
    for (const fillModel of ['touch', 'through', 'queue'] as const) {
      for (let turn = 0; turn < 8; turn++) {
        const flow = new RandomFlow({ seed: random.uint32(), fillModel, historyLimit: turn < 4 ? 400 : 40, isRich: turn % 2 === 0 });
        for (let k = 0; k < 4_000; k++) flow.step();
        const then = JSON.stringify(flow.sim.snapshot());
        let text = '';
        for (const piece of jsonPieces(flow.sim.capture())) {
          text += piece;
          for (let k = random.below(60); k > 0; k--) flow.step();
        }
        expect(text).toBe(then);
        expect(JSON.stringify(flow.sim.snapshot())).not.toBe(then);
      }
    }
  });
});
