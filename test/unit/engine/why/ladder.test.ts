/** The ladder of `why`: each check is made true by a real situation, and is then the answer. */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../../src/engine/why/ladder.ts';
import type { Check, Ladder } from '../../../../src/domain/messages/why.ts';
import type { OutsideFacts } from '../../../../src/engine/why/subject.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { StrategyHandlers } from '../../../../src/engine/strategy/definition/types.ts';
import {
  btc,
  polledRig,
  POLLS,
  positionReport,
  pushedRig,
  rejection,
  rig,
  settleReads,
  type Rig,
} from '../../../support/engine/engine-kit.ts';

const FREE: OutsideFacts = { throttle: { waiting: 0, since: Infinity, nextDue: Infinity }, troubles: [] };

function ladder(r: Rig, outside: OutsideFacts | null = FREE, endedAt = 0): Ladder {
  return r.kernel.why.at({ now: r.clock.time, endedAt, outside })[0]!;
}

function headline(r: Rig, outside: OutsideFacts | null = FREE, endedAt = 0): Check {
  const { headline: name, checks } = ladder(r, outside, endedAt);
  return checks.find((one) => one.name === name)!;
}

/** Asks for this size on each quote, until `size` is "". */
function asking(desired: { size: string; limit?: number }): StrategyHandlers {
  return {
    onQuote(market, ctx) {
      if (desired.size !== '')
        ctx.open(market, 'LONG', { size: desired.size, ...(desired.limit === undefined ? {} : { limit: desired.limit }) });
    },
  };
}

function quote(r: Rig, bid = 10_000): void {
  r.kernel.inbox.onQuote(0, bid, 5_000, bid + 2, 5_000);
}

/** A situation of each check, and what its answer contains. */
const SITUATIONS: Readonly<Record<string, () => readonly [check: Check, text: RegExp, fix: RegExp]>> = {
  running() {
    const r = pushedRig(asking({ size: '' }));
    return [headline(r, null, r.clock.time - 60_000), /it ended at \d\d:\d\d:\d\d UTC/, /npm start/];
  },
  armed() {
    const r = rig(asking({ size: '' }), { polls: POLLS });
    r.kernel.inbox.start();
    return [headline(r), /reading orders, positions and the account/, /wait/];
  },
  clock() {
    const r = pushedRig(asking({ size: '' }));
    r.kernel.inbox.clockHalt('the venue is 3.2 s ahead');
    return [headline(r), /3\.2 s ahead/, /NTP/];
  },
  halts() {
    const r = pushedRig(asking({ size: '' }));
    r.kernel.inbox.operate({ name: 'halt', scope: 'BTCUSDT', by: 'anna', why: 'news' });
    return [headline(r), /symbol:BTCUSDT.*operator, news/, /^tickwright resume BTCUSDT$/];
  },
  strategy() {
    const r = pushedRig({
      onQuote() {
        throw new Error('no such level');
      },
    });
    for (let k = 1; k <= 10; k++) quote(r, 10_000 + k);
    return [headline(r), /too-many-errors, 10 errors/, /strategy-error/];
  },
  universe() {
    const terms = {
      top: 1,
      by: 'volume',
      every: 60_000,
      window: 60_000,
      bars: 60_000,
      minAge: 0,
      from: [],
      exclude: [],
      leave: 'close',
      poll: 60_000,
    } as const;
    const universe = { terms, candidates: [0], at: -Infinity, chosen: [], leaving: [] };
    const r = pushedRig(
      {},
      { strategies: [{ strategy: defineStrategy({ name: 'test', create: () => ({}) }), instruments: [], universe }] },
    );
    const [one] = r.kernel.why.at({ now: r.clock.time, endedAt: 0, outside: FREE, symbol: 'BTCUSDT' });
    return [
      one!.checks.find(({ name }) => name === 'universe')!,
      /not in the universe: no trade of it is known/,
      /universe, of the configuration/,
    ];
  },
  reads() {
    const r = polledRig(asking({ size: '' }));
    r.advance(2_500);
    while (r.open.length > 0) r.venue.failed(r.open.shift()!, 'unavailable');
    return [headline(r), /no poll of .* unavailable/, /doctor/];
  },
  quotes() {
    const r = pushedRig(asking({ size: '' }), { risk: { staleAfterMs: 1_000 } });
    r.advance(1_500);
    return [headline(r), /2 s old, at most 1 s/, /risk\.staleAfterMs/];
  },
  prices() {
    const r = pushedRig(asking({ size: '' }), { risk: { maxPriceJump: '0.05' } });
    quote(r, 20_000);
    return [headline(r), /2000\.1.* is far from 1000\.1/, /risk\./];
  },
  history() {
    const r = pushedRig({ needs: { bars: { '1m': 5 } }, onBar: () => undefined });
    return [headline(r), /0 of 5 1m bars of BTCUSDT/, /wait/];
  },
  handler() {
    const r = pushedRig({ barMs: 60_000, onBar: () => undefined });
    return [headline(r), /onBar was never called/, /shorter period/];
  },
  position() {
    const r = polledRig(asking({ size: '' }));
    r.advance(200);
    r.answer({
      kind: 'quotes',
      quotes: [{ instrument: 0, bid: 9_999, bidSize: 1, ask: 10_001, askSize: 1, venueTime: r.clock.time }] as never,
    });
    r.advance(1_000);
    settleReads(r, [], [positionReport(0, 5)]);
    return [headline(r), /LONG position is not certain \(0\.000 to 0\.005\)/, /two reads/];
  },
  intent() {
    const r = pushedRig(asking({ size: '' }));
    quote(r, 10_001);
    return [headline(r), /called 2 times and asked for no order/, /ctx\.note/];
  },
  limits() {
    const r = pushedRig(asking({ size: '3' }), { risk: { maxOrderSize: '0.5' } });
    quote(r, 10_001);
    return [headline(r), /order-size refused it \(2 times in a row\): at most 0\.500 an order, asked 3\.000/, /risk\.maxOrderSize/];
  },
  rate() {
    const r = pushedRig(asking({ size: '0.01' }));
    const throttle = { waiting: 3, since: r.clock.time - 400, nextDue: r.clock.time + 250 };
    return [headline(r, { ...FREE, throttle }), /3 commands wait.*250 ms/, /venue\.rates/];
  },
  venue() {
    const desired = { size: '0.01' };
    const r = pushedRig(asking(desired));
    r.venue.rejected(r.venue.last().seq, rejection('insufficient-balance'));
    return [headline(r), /rejected the last order: insufficient-balance/, /errors\.md/];
  },
  order() {
    const r = pushedRig(asking({ size: '0.01', limit: 999 }));
    r.venue.accepted(r.venue.last().seq, 'v1');
    return [headline(r), /order 1 \(LONG OPEN 0\.010 at 999\.0\) waits/, /cancel-all BTCUSDT/];
  },
};

describe('each check', () => {
  test.each(CHECKS.map(({ name }) => name))('%s is the answer in its situation', (name) => {
    const [check, text, fix] = SITUATIONS[name]!();
    expect(check).toMatchObject({ name, state: 'finding' });
    expect(check.text).toMatch(text);
    expect(check.fix).toMatch(fix);
  });
});

test('the funnel counts a day: calls, signals, intents, allowed, accepted, filled', () => {
  const desired = { size: '0.01' };
  const r = pushedRig(asking(desired), { risk: { maxOrderSize: '0.5' } });
  r.venue.accepted(r.venue.last().seq, 'v1');
  r.venue.pushedFill(r.venue.last().seq, 10, 10_002);
  desired.size = '3';
  r.advance(1);
  quote(r, 10_001);
  desired.size = '';
  r.advance(1);
  quote(r, 10_002);
  expect(ladder(r).funnel).toEqual({ bars: 0, calls: 3, signals: 2, intents: 2, allowed: 1, accepted: 1, filled: 1 });
  r.advance(86_400_000);
  expect(ladder(r).funnel).toEqual({ bars: 0, calls: 0, signals: 0, intents: 0, allowed: 0, accepted: 0, filled: 0 });
});

test('the strategy and market that are stuck longest come first', () => {
  const r = pushedRig(asking({ size: '' }), { instruments: [btc(0), btc(1, 'ETHUSDT')] });
  r.kernel.inbox.operate({ name: 'halt', scope: 'ETHUSDT', by: 'anna', why: '' });
  r.advance(1_000);
  r.kernel.inbox.operate({ name: 'halt', scope: 'BTCUSDT', by: 'anna', why: '' });
  expect(r.kernel.why.at({ now: r.clock.time, endedAt: 0, outside: FREE }).map(({ symbol }) => symbol)).toEqual(['ETHUSDT', 'BTCUSDT']);
});

test('each rule says what it would do with the last intent, with its setting', () => {
  const r = pushedRig(asking({ size: '3' }), { risk: { maxOrderSize: '0.5', maxOpenOrders: 7 } });
  const { limits } = ladder(r);
  expect(limits.find(({ rule }) => rule === 'order-size')).toEqual({
    rule: 'order-size',
    isAllowed: false,
    text: 'at most 0.500 an order, asked 3.000',
    settings: ['risk.maxOrderSize 0.5'],
  });
  expect(limits.find(({ rule }) => rule === 'max-open-orders')).toMatchObject({ isAllowed: true, settings: ['risk.maxOpenOrders 7'] });
});

test('a close that was done, or that rests, is no intent that a rule would refuse', () => {
  const limits = (r: Rig): unknown => ladder(r).checks.find(({ name }) => name === 'limits');
  const desired = { size: '0.02', close: 0 };
  const r = pushedRig({
    onQuote(market, ctx) {
      if (desired.close > 0) ctx.limit(market, 'LONG', 'CLOSE', desired.close, '0.02');
      else if (desired.size !== '') ctx.open(market, 'LONG', { size: desired.size });
    },
  });
  const fill = (): void => {
    r.venue.accepted(r.venue.last().seq, `v${r.venue.last().seq}`);
    r.venue.pushedFill(r.venue.last().seq, 20, 10_002);
  };
  fill();
  desired.close = 1_050;
  quote(r, 10_001);
  r.venue.accepted(r.venue.last().seq, 'rests');
  Object.assign(desired, { size: '', close: 0 });
  r.advance(60_000);
  quote(r, 10_002);
  expect(limits(r)).toMatchObject({ state: 'ok', text: expect.stringMatching(/^all \d+ rules would allow the smallest order now$/) });
  r.venue.pushedFill(r.venue.last().seq, 20, 10_500);
  r.advance(60_000);
  quote(r, 10_003);
  expect(limits(r)).toMatchObject({ state: 'ok', text: expect.stringMatching(/^all \d+ rules would allow the smallest order now$/) });
});

test('a question changes nothing: the session goes on as without it', () => {
  const run = (isAsked: boolean): string => {
    const r = pushedRig(asking({ size: '0.01' }), { risk: { maxOrdersPerMinute: 3, maxIntentsPerSecond: 4 } });
    for (let k = 1; k < 20; k++) {
      r.advance(300);
      quote(r, 10_000 + k);
      if (isAsked) ladder(r);
    }
    return JSON.stringify(r.records);
  };
  expect(run(true)).toBe(run(false));
});
