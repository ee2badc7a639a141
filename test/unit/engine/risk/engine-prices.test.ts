/** Quotes and trades are compared with the mark price of a position before they are accepted; tested with the whole kernel. */
import { describe, expect, test } from 'vitest';
import type { PositionReport } from '../../../../src/domain/report.ts';
import { polledRig, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

const TRUE_BID = 10_000;
const WRONG_BID = 15_000;

/** A tick is 0.1: a mark price of 1000 corresponds to a bid of 10,000 ticks. */
const held = (markPrice: number): PositionReport =>
  ({
    instrument: 0,
    side: 0,
    entryPrice: 1_000,
    markPrice,
    margin: 0,
    unrealised: 0,
    realised: 0,
    liquidationPrice: 0,
    marginMode: 0,
    total: 10,
    available: 10,
    locked: 0,
    opening: 0,
    leverage: 10,
    funding: 0,
    createdAt: 1,
    updatedAt: 1,
  }) as never;

interface Seen {
  readonly rig: Rig;
  readonly bids: number[];
  readonly reads: (count: number, bid: number, positions: readonly PositionReport[]) => void;
}

/** A bot that has accepted the true price. `reads` answers its queries at the interval of quote reads, 200 ms. */
function polled(): Seen {
  const bids: number[] = [];
  const rig = polledRig(
    { onQuote: (market) => void bids.push(market.bid) },
    { external: { position: 'adopt' }, risk: { maxPriceJump: 0.05 } },
  );
  const reads: Seen['reads'] = (count, bid, positions) => {
    for (let k = 0; k < count; k++) {
      rig.advance(200);
      const now = rig.clock.time;
      const asked = rig.open.splice(0);
      rig.open.push(...asked.filter(({ kind }) => kind !== 'quotes'));
      settleReads(rig, [], positions);
      const quote = { instrument: 0, bid: bid + (k % 2), bidSize: 5_000, ask: bid + 2, askSize: 5_000, venueTime: now };
      for (const query of asked.filter(({ kind }) => kind === 'quotes')) {
        rig.venue.answered(query, { kind: 'quotes', quotes: [quote] as never }, now, now);
      }
    }
  };
  reads(20, TRUE_BID, [held(1_000)]);
  return { rig, bids, reads };
}

const tries = (rig: Rig): number => rig.ctx().limit(rig.ctx().markets[0]!, 'SHORT', 'OPEN', 1_000, 0.001);

describe('a quote 50 % above the last one', () => {
  test('repeated for ten seconds is not accepted against the mark price, and opens wait', () => {
    const { rig, bids, reads } = polled();
    reads(50, WRONG_BID, [held(1_000)]);
    expect(Math.max(...bids)).toBe(1_000.1);
    expect(tries(rig)).toBe(0);
    expect(rig.log.events()).toContain('price-held');
    reads(5, TRUE_BID, [held(1_000)]);
    expect(tries(rig), 'the true price again').toBeGreaterThan(0);
  });

  test('is accepted at its second read if the mark price moved with it', () => {
    const { bids, reads } = polled();
    reads(3, WRONG_BID, [held(1_500)]);
    expect(bids.at(-1)).toBeCloseTo(1_500, 0);
  });

  test('is accepted in the end if nothing contradicts it', () => {
    const { bids, reads } = polled();
    reads(3, TRUE_BID, []);
    reads(3, WRONG_BID, []);
    expect(bids.at(-1), 'not at the third read').toBeCloseTo(1_000, 0);
    reads(5, WRONG_BID, []);
    expect(bids.at(-1)).toBeCloseTo(1_500, 0);
  });
});
