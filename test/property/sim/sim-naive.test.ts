/** The simulator compared with a slow, obvious venue: the same orders on the same market give the same fills and money. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { emptyCommand } from '../../../src/domain/orders/command.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import type { FillModel } from '../../../src/sim/state/types.ts';
import { NaiveVenue } from '../../support/sim/naive-venue.ts';
import { BTC, ETH, instrumentsOf, Recorder, specOf } from '../../support/sim/sim-kit.ts';

interface Setting {
  readonly seed: number;
  readonly fillModel: FillModel;
  readonly hasBook: boolean;
  readonly events: number;
  /** Range of order prices: a narrow one makes orders meet. */
  readonly width: number;
}

const ACCOUNTS = [
  { name: 'a', futures: '1000000', spot: {} },
  { name: 'b', futures: '900', spot: {} },
];

/** Runs both venues with one random flow and compares after every event. Returns the number of fills. */
function race({ seed, fillModel, hasBook, events, width }: Setting): number {
  const instruments = instrumentsOf({ ...BTC, maintenanceRate: '0', maxSize: '0.2' }, { ...ETH, maintenanceRate: '0' });
  const log = new Recorder();
  const sim = new VenueSim(specOf(instruments, { accounts: ACCOUNTS, fillModel, leverage: 10, historyLimit: 8 }), log);
  const naive = new NaiveVenue(instruments, [10n ** 14n, 900n * 10n ** 8n], fillModel, 10);
  const r = new Random(seed);
  const mid = [600_000, 260_000];
  const numbers: number[] = [];
  let compared = 0;
  for (let time = 1; time <= events; time++) {
    const i = r.below(2);
    const what = r.below(20);
    if (what < 6 && hasBook) {
      const bid = (mid[i]! += r.below(5) - 2);
      const ask = r.below(80) === 0 ? 0 : bid + 1 + r.below(3);
      const [bidSize, askSize] = [1 + r.below(30), 1 + r.below(30)];
      const shownBid = r.below(80) === 0 ? 0 : bid;
      sim.quote(i, shownBid, bidSize, ask, askSize, time);
      naive.quote(i, shownBid, bidSize, ask, askSize);
    } else if (what < 11) {
      const price = mid[i]! + r.below(width) - Math.floor(width / 2);
      const [size, aggressor] = [1 + r.below(25), r.below(2)];
      if (!hasBook) mid[i] = price;
      sim.trade(i, price, size, aggressor, time, time);
      naive.trade(i, price, size, aggressor);
    } else {
      const account = r.below(2);
      const no = numbers[numbers.length - 1 - r.below(Math.min(20, numbers.length) || 1)] ?? 1;
      const command = emptyCommand();
      command.instrument = i;
      if (what < 16) {
        command.side = r.below(2);
        command.effect = r.below(5) < 2 ? 1 : 0;
        command.type = r.below(6) === 0 ? 1 : 0;
        command.size = 1 + r.below(40);
        if (command.type === 0) command.price = mid[i]! + r.below(width) - Math.floor(width / 2);
        command.force = r.below(5) === 0 ? 1 : 0;
        const placed = sim.place(account, command, time, time);
        expect(naive.place(account, command)).toBe(placed);
        if (placed > 0) numbers.push(placed);
      } else if (what < 19) {
        expect(naive.cancel(account, no)).toBe(sim.cancel(account, no, time));
      } else {
        if (r.below(2) === 0) command.price = mid[i]! + r.below(width) - Math.floor(width / 2);
        if (r.below(2) === 0) command.size = 1 + r.below(40);
        const moved = sim.modify(account, no, command, time, time);
        expect(naive.modify(account, no, command)).toBe(moved);
        if (moved > 0) numbers.push(moved);
      }
    }
    for (; compared < log.fills.length; compared++) expect(log.fills[compared]).toMatchObject(naive.fills[compared] ?? { orderNo: 'none' });
    expect(naive.fills.length).toBe(compared);
    for (const a of [0, 1]) expect(BigInt(sim.equity(a))).toBe(naive.equity(a));
  }
  sim.audit();
  return compared;
}

describe('the simulator and the naive venue', () => {
  test.each([
    ['touch', true],
    ['through', true],
    ['queue', true],
    ['touch', false],
    ['through', false],
    ['queue', false],
  ] as const)('agree in every fill (%s, book %s)', (fillModel, hasBook) => {
    let fills = 0;
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(5, 9, 21), (seed, width) => {
        fills += race({ seed, fillModel, hasBook, width, events: 400 });
      }),
      { numRuns: 50, seed: 7 },
    );
    expect(fills).toBeGreaterThan(1_000);
  });
});
