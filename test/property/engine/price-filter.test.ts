/** Bad prices among good ones: they cause no order, live and in backtests. A price that really moved is accepted soon. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { PriceFilter } from '../../../src/engine/market/price-filter.ts';
import type { Market } from '../../../src/engine/intents/market-types.ts';
import type { StrategyContext } from '../../../src/engine/strategy/definition/types.ts';
import { POLLS, polledRig, pushedRig, type Rig } from '../../support/engine/engine-kit.ts';

const RUNS = Number(process.env['TICKWRIGHT_PRICE_RUNS'] ?? 40);
const RISK = {
  maxPositionAgeMs: 3_600_000,
  maxAccountAgeMs: 3_600_000,
  maxPriceJump: '0.05',
  maxOpenOrders: 10_000,
  maxPosition: 'off',
  maxOrderSize: 'off',
  maxSameRefusals: 'off',
} as const;

/** Ways in which a quote of these prices can be bad. */
const BAD: Readonly<Record<string, (bid: number, ask: number) => readonly [bid: number, ask: number]>> = {
  'up by half': (bid, ask) => [bid * 1.5, ask * 1.5],
  'down by half': (bid, ask) => [bid * 0.5, ask * 0.5],
  'far ask': (bid, ask) => [bid, ask * 1.5],
  'far bid': (bid, ask) => [bid * 0.5, ask],
  crossed: (bid, ask) => [ask, bid],
  locked: (bid) => [bid, bid],
  'zero bid': (_bid, ask) => [0, ask],
  'zero ask': (bid) => [bid, 0],
  negative: (bid, ask) => [-bid, -ask],
  empty: () => [0, 0],
};
const KINDS = Object.values(BAD);

/** One market state: the true one and the reported one. */
interface Look {
  readonly mid: number;
  readonly bid: number;
  readonly ask: number;
  readonly isBad: boolean;
}

/** A market that moves a little, with one bad quote in ten and never two in a row. In a backtest the first one is good. */
function looks(seed: number, count: number, startsWell: boolean): Look[] {
  const random = new Random(seed);
  const found: Look[] = [];
  let mid = 10_001;
  for (let k = 0; k < count; k++) {
    mid = Math.round(mid * (1 + (random.uniform() - 0.5) * 0.004));
    const isBad = (k > 0 || !startsWell) && found.at(-1)?.isBad !== true && random.uniform() < 0.1;
    const [bid, ask] = isBad ? KINDS[random.below(KINDS.length)]!(mid - 1, mid + 1) : [mid - 1, mid + 1];
    found.push({ mid, bid: Math.round(bid), ask: Math.round(ask), isBad });
  }
  return found;
}

/** Buys at market at every market event, and records the price that it saw. */
function eager() {
  const believed: number[] = [];
  const act = (market: Market, ctx: StrategyContext): void => {
    believed.push(market.mid * 10);
    ctx.open(market, 'LONG', { size: 0.001, stopLoss: market.bid * 0.99 });
  };
  return { believed, handlers: { onQuote: act, onTrade: (_: unknown, market: Market, ctx: StrategyContext) => act(market, ctx) } };
}

/** Rejects all sent orders. Returns their number. */
function settle(r: Rig): number {
  const sent = r.venue.commands.splice(0);
  for (const { seq } of sent) r.venue.rejected(seq, { reason: 'insufficient-balance', code: '1', message: '' });
  return sent.length;
}

/** Answers the next poll of quotes. */
function answerQuotes(r: Rig, { bid, ask }: Pick<Look, 'bid' | 'ask'>): void {
  while (!r.open.some(({ kind }) => kind === 'quotes')) r.advance(10);
  r.answer({ kind: 'quotes', quotes: [{ instrument: 0, bid, bidSize: 5_000, ask, askSize: 5_000, venueTime: r.clock.time }] as never });
}

it('the accepted price is the median of the last nine polled quotes', () => {
  const moves = fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 60 });
  fc.assert(
    fc.property(moves, (steps) => {
      const filter = new PriceFilter(0.05, false);
      const mids: number[] = [];
      for (const [k, step] of steps.entries()) {
        const mid = 1_000 + step;
        filter.quote(mid - 1, mid + 1, 0, 0, k);
        mids.push(mid);
        const last = mids.slice(-9).toSorted((a, b) => a - b);
        expect(filter.accepted).toBe(last[last.length >> 1]);
      }
    }),
    { numRuns: RUNS },
  );
});

describe('one quote in ten is bad', () => {
  it('and causes no order, nor do prices accepted meanwhile [M3] [M2]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.boolean(), (seed, isPushed) => {
        const { believed, handlers } = eager();
        const r = isPushed ? pushedRig(handlers, { risk: RISK }) : polledRig(handlers, { risk: RISK });
        settle(r);
        let fromBad = 0;
        let fromGood = 0;
        for (const look of looks(seed, 200, isPushed)) {
          r.clock.time += 50;
          believed.length = 0;
          if (isPushed) {
            r.kernel.inbox.onQuote(0, look.bid, 5_000, look.ask, 5_000);
            if (look.isBad && look.ask > look.bid) r.kernel.inbox.onTrade(0, look.ask === look.mid + 1 ? look.bid : look.ask, 10, 0);
          } else answerQuotes(r, look);
          const sent = settle(r);
          if (look.isBad) fromBad += sent;
          else fromGood += sent;
          for (const mid of believed) expect(Math.abs(mid - look.mid) / look.mid).toBeLessThan(0.03);
        }
        expect(fromBad).toBe(0);
        expect(fromGood).toBeGreaterThan(100);
        expect(Object.keys(r.kernel.status().counts).join(' ')).toMatch(/price-held|quote-rejected/);
      }),
      { numRuns: RUNS },
    );
  });

  it('even if bad ones follow each other, as long as another price contradicts them', () => {
    const filter = new PriceFilter(0.05, false);
    const random = new Random(3);
    let wrong = 0;
    for (let k = 0; k < 200_000; k++) {
      const now = k * 100;
      const isBad = random.uniform() < 0.1;
      const mid = isBad ? 15_000 : 10_000;
      if (filter.quote(mid - 1, mid + 1, 0, 0, now) && isBad) wrong++;
      if (k % 3 === 0) filter.ticker(10_003, now);
    }
    expect(wrong).toBe(0);
    expect(filter.held).toBeGreaterThan(15_000);
  });
});

describe('a price that really moved', () => {
  const quote = (filter: PriceFilter, mid: number, now: number): boolean => filter.quote(mid - 1, mid + 1, 0, 0, now);
  const settled = (): PriceFilter => {
    const filter = new PriceFilter(0.05, false);
    for (let k = 0; k < 10; k++) quote(filter, 10_000, k * 100);
    return filter;
  };

  it('is accepted at its second quote if a trade, the ticker or the mark price agrees', () => {
    const others: readonly ((filter: PriceFilter) => unknown)[] = [
      (filter) => filter.trade(15_010, 0, 0, 1_050),
      (filter) => filter.ticker(15_010, 1_050),
      (filter) => filter.mark(15_010, 1_050),
    ];
    for (const tell of others) {
      const filter = settled();
      expect(quote(filter, 15_000, 1_000)).toBe(false);
      expect(filter.isDoubtful).toBe(true);
      tell(filter);
      expect(quote(filter, 15_000, 1_100)).toBe(true);
      expect(filter.isDoubtful).toBe(false);
      expect(filter.accepted).toBe(15_000);
    }
  });

  it('is accepted after five quotes over a second if nothing else is known', () => {
    const filter = settled();
    const times = [1_000, 1_250, 1_500, 1_750, 2_000];
    expect(times.map((now) => quote(filter, 15_000, now))).toEqual([false, false, false, false, true]);
    // Ticks of a backtest are faster: five within a few milliseconds are not enough.
    const other = settled();
    expect(Array.from({ length: 20 }, (_, k) => quote(other, 15_000, 1_000 + k))).not.toContain(true);
  });

  it('is not accepted as long as another price contradicts it', () => {
    const filter = settled();
    for (let now = 1_000; now < 60_000; now += 250) {
      expect(quote(filter, 15_000, now)).toBe(false);
      if (now % 5_000 === 1_000) filter.ticker(10_010, now);
    }
  });

  it('stays held when a trade shows the accepted price; the next quote decides', () => {
    const filter = new PriceFilter(0.1, false);
    for (let k = 0; k < 3; k++) filter.quote(999, 1_001, 0, 0, k * 100);
    expect([filter.quote(1_499, 1_501, 0, 0, 300), filter.heldTicks]).toEqual([false, 1_500]);
    expect([filter.trade(1_000, 0, 0, 400), filter.heldTicks, filter.isDoubtful]).toEqual([true, 1_500, true]);
    expect([filter.quote(999, 1_001, 0, 0, 500), filter.heldTicks, filter.isDoubtful]).toEqual([true, 0, false]);
    // A held trade ends with the next one near the accepted price.
    expect([filter.trade(1_500, 0, 0, 600), filter.heldTicks]).toEqual([false, 1_500]);
    expect([filter.trade(1_000, 0, 0, 700), filter.heldTicks]).toEqual([true, 0]);
    // Without quotes trades are accepted, and move the accepted price.
    const trades = new PriceFilter(0.1, false);
    expect([trades.trade(1_000, 0, 0, 0), trades.accepted]).toEqual([true, 1_000]);
  });

  it('in small steps is never held, however far it goes', () => {
    for (const isRealTime of [false, true]) {
      const filter = new PriceFilter(0.05, isRealTime);
      let last = 0;
      for (let mid = 10_000, now = 0; mid < 100_000; mid *= 1.004, now += 100) {
        expect(filter.quote(mid - 1, mid + 1, last, now - 100, now)).toBe(true);
        last = mid;
      }
      expect(filter.held).toBe(0);
    }
  });

  it('triggers reads: the ticker is read at once, and the log has the held price', () => {
    const polls = { ...POLLS, periods: { ...POLLS.periods, stats: 60_000 } };
    const r = polledRig({ onQuote: () => undefined }, { risk: RISK, polls });
    answerQuotes(r, { bid: 10_000, ask: 10_002 });
    while (r.open.some(({ kind }) => kind === 'stats')) r.answer({ kind: 'stats', stats: [] });
    answerQuotes(r, { bid: 15_000, ask: 15_002 });
    r.advance(1);
    expect(r.open.filter(({ kind }) => kind === 'stats')).toHaveLength(1);
    expect(r.log.lines.find(({ event }) => event === 'price-held')?.fields).toMatchObject({
      symbol: 'BTCUSDT',
      bid: 1500,
      believed: 1000.1,
    });
  });
});

describe('a market order', () => {
  it('does not open if its fill price would be far from the mid price [M3]', () => {
    const refusals: string[] = [];
    const r = pushedRig(
      { onOrder: (e) => (e.state === 'refused' ? refusals.push(e.reason) : 0) },
      { risk: { ...RISK, priceCollar: '0.01' } },
    );
    r.kernel.inbox.onQuote(0, 9_800, 5_000, 10_200, 5_000);
    r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: 0.001 });
    r.kernel.inbox.onQuote(0, 9_950, 5_000, 10_050, 5_000);
    r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: 0.001 });
    r.kernel.inbox.onQuote(0, 9_950, 5_000, 10_052, 5_000);
    expect(refusals).toEqual(['price-collar']);
    expect(r.venue.commands).toHaveLength(1);
  });
});
