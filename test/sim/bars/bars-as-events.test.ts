/** A bar is one event at its end: what a strategy sees of it, and where its orders meet it (docs/how-a-backtest-runs.md). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareBacktest, type BacktestReport } from '../../../src/run/backtest/backtest.ts';
import type { BacktestOptions } from '../../../src/run/setup/options.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { configWith, optionsFor, strategyFile } from '../../support/backtest/reference-backtest.ts';

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'bar-events-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MINUTE = 60_000;
/** The start of an hour. */
const TAPE_START = 1_700_006_400_000;
/** Start in minutes, open, high, low, close, volume in lots. */
type Row = [minute: number, open: number, high: number, low: number, close: number, volume: number];
let tapes = 0;

/** A tape of bars of `minutes`; prices in whole quote coins, with a tick of 1. */
function barTape(
  rows: readonly Row[],
  minutes = 1,
  symbols: readonly string[] = ['BTCUSDT'],
  others: readonly Row[] = [],
  long = 60,
): string {
  const path = join(folder, `tape-${tapes++}`);
  const writer = new TapeWriter(path, { overwrite: true });
  for (const [k, symbol] of symbols.entries()) {
    const bars = writer.stream(symbol, 'bars', { priceDecimals: 0, sizeDecimals: 0 }, (k === 0 ? minutes : long) * MINUTE);
    for (const [minute, open, high, low, close, volume] of k === 0 ? rows : others)
      bars.bar(TAPE_START + minute * MINUTE, open, high, low, close, volume);
  }
  writer.finish();
  return path;
}

const said = globalThis as unknown as { said?: unknown[] };

/** Runs handlers that note what they see with `say`. `choices`: times at which the bold reading may go another way. */
async function run(
  tape: string,
  handlers: string,
  given: Partial<BacktestOptions> = {},
): Promise<{ said: unknown[]; report: BacktestReport; choices: number }> {
  said.said = [];
  const body = `const say = (...words: unknown[]): void => void (globalThis as any).said.push(words.join(' '));
    const minute = (ms: number): number => (ms - ${TAPE_START}) / ${MINUTE};
    void minute; void say;
    return { ${handlers} };`;
  const spread = { kind: 'fixed', value: 0 } as const;
  const config = configWith({
    risk: { maxOrderSize: '1000', maxPosition: '1000', priceCollar: '0.5', maxSpread: 'off' },
    contract: { tickSize: '1', lotSize: '1', priceDecimals: 0, minSize: '1', maxSize: '1000000' },
  });
  const backtest = await prepareBacktest(optionsFor(tape, strategyFile(folder, body), { everyTick: false, spread, config, ...given }));
  const report = backtest.run();
  return { said: said.said, report, choices: backtest.ambiguity!.choices };
}

const FLAT: Row[] = [
  [0, 100, 110, 90, 105, 50],
  [1, 106, 120, 100, 118, 50],
  [2, 117, 125, 95, 96, 50],
  [3, 97, 99, 91, 92, 50],
];

describe('what is seen', () => {
  test('a bar is seen when it has ended, with its quote, and nothing between', async () => {
    const { said: seen } = await run(
      barTape(FLAT),
      `onBar(bar: any, market: any, ctx: any) { say('bar', minute(ctx.now), bar.open, bar.high, bar.low, bar.close, bar.volume, market.bid); },
       onQuote(market: any, ctx: any) { say('quote', minute(ctx.now), market.bid); },
       onStart(ctx: any) { ctx.setTimer('t', 20000); },
       onTimer(name: string, ctx: any) { say('timer', minute(ctx.now)); ctx.setTimer('t', 20000); }`,
    );
    expect(seen).toEqual(
      [
        ['bar 1 100 110 90 105 50 105', 'timer 1', 'quote 1 105'],
        ['bar 2 106 120 100 118 50 118', 'timer 2', 'quote 2 118'],
        ['bar 3 117 125 95 96 50 96', 'timer 3', 'quote 3 96'],
        ['bar 4 97 99 91 92 50 92', 'timer 4', 'quote 4 92'],
      ].flat(),
    );
  });

  test('a timer that was due inside a bar runs at its end, also if the bar sets it again', async () => {
    const { said: seen } = await run(
      barTape(FLAT),
      `onBar(bar: any, market: any, ctx: any) { say('bar', minute(ctx.now)); ctx.setTimer('t', 20000); },
       onTimer(name: string, ctx: any) { say('timer', minute(ctx.now)); }`,
    );
    expect(seen).toEqual(['bar 1', 'bar 2', 'timer 2', 'bar 3', 'timer 3', 'bar 4', 'timer 4']);
  });

  test('a market without a bar has its flat one with the bars of others, before any timer', async () => {
    const all: Row[] = FLAT.map(([minute]) => [minute, 100, 100, 99, 100, 5]);
    const { said: seen } = await run(
      barTape(all, 1, ['BTCUSDT', 'ETHUSDT'], [all[0]!, all[3]!], 1),
      `needs: { bars: { '1m': 0 } },
       onBar(bar: any, market: any, ctx: any) { say(market.symbol, minute(bar.end), bar.isFlat, minute(ctx.now)); },
       onStart(ctx: any) { ctx.setTimer('t', 90000); },
       onTimer(name: string, ctx: any) { say('timer', minute(ctx.now)); }`,
    );
    expect(seen).toEqual(
      [2, 3, 4].flatMap((end) => [`BTCUSDT ${end} false ${end}`, `ETHUSDT ${end} ${end < 4} ${end}`, ...(end === 2 ? ['timer 2'] : [])]),
    );
  });

  test('a market order meets the next open, and its fill is told at the end of that bar, before the bar', async () => {
    const { said: seen, report } = await run(
      barTape(FLAT),
      `onBar(bar: any, market: any, ctx: any) { say('bar', minute(ctx.now)); if (minute(ctx.now) === 1) ctx.open(market, 'LONG', { size: 1 }); },
       onFill(fill: any, market: any, ctx: any) { say('fill', minute(ctx.now), fill.price, market.bid); }`,
    );
    expect(seen).toEqual(['bar 1', 'fill 2 106 118', 'bar 2', 'bar 3', 'bar 4']);
    expect(report.orders.filled).toBe(1);
  });
});

describe('choices, without which a run is its own bold reading', () => {
  test('there is none where at most one thing can happen in a bar', async () => {
    for (const orders of [`ctx.open(market, 'LONG', { size: 1 });`, `ctx.open(market, 'LONG', { size: 1, stopLoss: 101 });`])
      expect((await run(barTape(FLAT), first(orders))).choices).toBe(0);
  });

  test('a stop and a target in one bar are one', async () => {
    expect((await run(barTape(FLAT), first(`ctx.open(market, 'LONG', { size: 1, stopLoss: 101, takeProfit: 119 });`))).choices).toBe(1);
  });
});

/** Fills as "minute leg effect price size liquidity". */
async function fillsOf(tape: string, handlers: string, given: Partial<BacktestOptions> = {}): Promise<string[]> {
  const { report } = await run(tape, handlers, given);
  const fills: string[] = [];
  for (const { time, side, positionSide, price, size, liquidity } of report.fills) {
    const effect = (side === 'BUY') === (positionSide === 'LONG') ? 'OPEN' : 'CLOSE';
    fills.push([(time - TAPE_START) / MINUTE, positionSide, effect, price, size, liquidity].join(' '));
  }
  return fills;
}
const NO_FUNDING = { model: 'off', everyMs: 28_800_000, rate: '0', file: '' } as const;
const BOLD = { reading: { fillModel: 'through', moreMs: 0, spreadFactor: 1, isBold: true, words: '' } } as const;
/** Orders at the end of the first bar. */
const first = (orders: string, more = ''): string =>
  `onBar(bar: any, market: any, ctx: any) { if (minute(ctx.now) === 1) { ${orders} } ${more} }`;

describe('orders', () => {
  test.each<[string, string, string[]]>([
    ['a limit fills at its price when the bar goes beyond it', `ctx.limit(market, 'LONG', 'OPEN', 101, 1);`, ['2 LONG OPEN 101 1 maker']],
    ['a limit that is only touched does not fill', `ctx.limit(market, 'SHORT', 'OPEN', 125, 1);`, []],
    ['a limit that the open crosses takes at the open', `ctx.limit(market, 'LONG', 'OPEN', 109, 1);`, ['2 LONG OPEN 106 1 taker']],
    ['a post-only limit that the open crosses is refused', `ctx.limit(market, 'LONG', 'OPEN', 109, 1, true);`, []],
    [
      'fills are at most the volume, the rest of a market order takes at the next open',
      `ctx.open(market, 'LONG', { size: 70 });`,
      ['2 LONG OPEN 106 50 taker', '3 LONG OPEN 117 20 taker'],
    ],
  ])('%s', async (_, orders, fills) => {
    expect(await fillsOf(barTape(FLAT), first(orders))).toEqual(fills);
  });

  test('half of the spread is paid at the open', async () => {
    const handlers = first(`ctx.open(market, 'LONG', { size: 1 });`, `if (minute(ctx.now) === 2) ctx.close(market, 'LONG', { size: 1 });`);
    expect(await fillsOf(barTape(FLAT), handlers, { spread: { kind: 'fixed', value: 5 } })).toEqual([
      '2 LONG OPEN 109 1 taker',
      '3 LONG CLOSE 115 1 taker',
    ]);
  });

  test('a stop fills at its trigger, beyond it only at an open', async () => {
    const enter = (stop: number): string => first(`ctx.open(market, 'LONG', { size: 1, stopLoss: ${stop} });`);
    expect(await fillsOf(barTape(FLAT), enter(103))).toEqual(['2 LONG OPEN 106 1 taker', '2 LONG CLOSE 103 1 taker']);
    expect(await fillsOf(barTape(FLAT), enter(96))).toEqual(['2 LONG OPEN 106 1 taker', '3 LONG CLOSE 96 1 taker']);
    const gapped: Row[] = [...FLAT.slice(0, 2), [2, 90, 95, 85, 92, 50]];
    expect(await fillsOf(barTape(gapped), enter(96))).toEqual(['2 LONG OPEN 106 1 taker', '3 LONG CLOSE 90 1 taker']);
  });

  test('of stop and target in one bar the worse one counts, or in the bold reading the better one', async () => {
    const both = first(`ctx.open(market, 'LONG', { size: 1, stopLoss: 101, takeProfit: 119 });`);
    expect(await fillsOf(barTape(FLAT), both)).toEqual(['2 LONG OPEN 106 1 taker', '2 LONG CLOSE 101 1 taker']);
    expect(await fillsOf(barTape(FLAT), both, BOLD)).toEqual(['2 LONG OPEN 106 1 taker', '2 LONG CLOSE 119 1 taker']);
    const short = first(`ctx.open(market, 'SHORT', { size: 1, stopLoss: 119, takeProfit: 101 });`);
    expect(await fillsOf(barTape(FLAT), short)).toEqual(['2 SHORT OPEN 106 1 taker', '2 SHORT CLOSE 119 1 taker']);
  });

  test('ambiguous bars are counted with their profit', async () => {
    const { report } = await run(barTape(FLAT), first(`ctx.open(market, 'LONG', { size: 1, stopLoss: 101, takeProfit: 119 });`));
    expect(report.notes.map(String).join('\n')).toMatch(
      /ambiguous: in 1 of 1 bar with own orders or positions .* the profit in them is [−-]/,
    );
  });

  test('a cancel at the close comes too late if the open is beyond the limit, unless the reading is bold', async () => {
    const gapped: Row[] = [FLAT[0]!, [1, 106, 120, 104, 118, 50], [2, 90, 95, 85, 92, 50]];
    const handlers = `onBar(bar: any, market: any, ctx: any) {
      if (minute(ctx.now) === 1) ctx.limit(market, 'LONG', 'OPEN', 100, 1);
      if (minute(ctx.now) === 2) for (const { number } of market.orders) ctx.cancel(number);
    }`;
    expect(await fillsOf(barTape(gapped), handlers)).toEqual(['3 LONG OPEN 100 1 maker']);
    expect((await run(barTape(gapped), handlers)).choices).toBe(1);
    expect(await fillsOf(barTape(gapped), handlers, BOLD)).toEqual([]);
  });

  test('without a volume orders fill by price alone, and the report says so', async () => {
    const dry = FLAT.map((row): Row => [row[0], row[1], row[2], row[3], row[4], 0]);
    const { report } = await run(barTape(dry), first(`ctx.open(market, 'LONG', { size: 70 });`));
    expect(report.orders.filled).toBe(1);
    expect(report.notes.join('\n')).toContain('in 1 bar without a volume orders filled by price alone');
  });

  test('an order without a next bar is never filled, over a gap it meets the next open', async () => {
    const late = `onBar(bar: any, market: any, ctx: any) { if (bar.start === ${TAPE_START + 3 * MINUTE}) ctx.open(market, 'LONG', { size: 1 }); }`;
    const { report } = await run(barTape(FLAT), late);
    expect(report.orders.filled).toBe(0);
    expect(report.notes.join('\n')).toContain('1 command met no bar any more: never filled');
    const gap: Row[] = [...FLAT, [9, 80, 85, 75, 82, 50]];
    expect(await fillsOf(barTape(gap), late)).toEqual(['10 LONG OPEN 80 1 taker']);
  });
});

describe('loss limits look at the worse side first', () => {
  /** The exit fills on one side of the bar, on the other side the loss is 14 times 10. */
  const limited = configWith({
    risk: { maxOrderSize: '1000', maxPosition: '1000', priceCollar: '0.5', maxDailyLoss: '100' },
    simulation: { deposits: { USDT: '10000' }, funding: { ...NO_FUNDING } },
    contract: { tickSize: '1', lotSize: '1', priceDecimals: 0, minSize: '1', maxSize: '1000000', makerFeeRate: '0', takerFeeRate: '0' },
  });
  const wide: Row[] = [FLAT[0]!, [1, 106, 120, 92, 106, 500]];

  test.each([
    ['a LONG with a target', `ctx.open(market, 'LONG', { size: 10, takeProfit: 110 });`],
    ['a SHORT with a target', `ctx.open(market, 'SHORT', { size: 10, takeProfit: 102 });`],
    ['a SHORT with two targets', `for (const p of [102, 101]) ctx.open(market, 'SHORT', { size: 5, takeProfit: p });`],
    ['a LONG that a stop opens', `ctx.placeTrigger({ market, side: 'LONG', size: 10, trigger: 110 });`],
    ['a SHORT that a stop opens', `ctx.placeTrigger({ market, side: 'SHORT', size: 10, trigger: 102 });`],
  ])('%s', async (_, orders) => {
    const halts = async (given: Partial<BacktestOptions>): Promise<string> => {
      const { report, choices } = await run(barTape(wide), first(orders), { config: limited, ...given });
      expect(choices).toBe(1);
      return report.notes.join('\n');
    };
    expect(await halts({})).toContain('halted everywhere: daily-loss');
    expect(await halts(BOLD)).not.toContain('halted everywhere: daily-loss');
  });
});

describe('a loss limit that was reached inside a bar', () => {
  const config = configWith({
    risk: { maxOrderSize: '1000', maxPosition: '1000', priceCollar: '0.5', maxDailyLoss: '100' },
    simulation: { deposits: { USDT: '10000' }, funding: { ...NO_FUNDING } },
    contract: { tickSize: '1', lotSize: '1', priceDecimals: 0, minSize: '1', maxSize: '1000000', makerFeeRate: '0', takerFeeRate: '0' },
  });
  const low: Row[] = [FLAT[0]!, [1, 106, 120, 92, 106, 500], [2, 106, 110, 100, 105, 500], [3, 105, 110, 100, 105, 500]];

  test.each(['onBar', 'onFill', 'onOrder', 'onQuote', 'onTimer'])('refuses what %s opens at the end of that bar', async (handler) => {
    const again = `if (minute(ctx.now) === 2) ctx.open(ctx.markets[0], 'LONG', { size: 1 });`;
    const given = {
      onBar: 'bar: any, market: any, ctx: any',
      onFill: 'fill: any, market: any, ctx: any',
      onQuote: 'market: any, ctx: any',
    } as const;
    const more =
      handler === 'onBar'
        ? ''
        : handler === 'onTimer' || handler === 'onOrder'
          ? `${handler}(one: any, ctx: any) { ${again} }`
          : `${handler}(${given[handler as 'onFill']}) { ${again} }`;
    const onBar = first(`ctx.open(market, 'LONG', { size: 10 }); ctx.setTimer('t', 1000);`, handler === 'onBar' ? again : '');
    expect(await fillsOf(barTape(low), `${onBar}, ${more}`, { config })).toEqual(['2 LONG OPEN 106 10 taker']);
  });
});

describe('managed trades', () => {
  test('a target inside the bar of the entry, and a trailing stop on the rest of its path', async () => {
    const enter = (fields: string): string => first(`ctx.enter({ market, side: 'LONG', size: 2, ${fields} });`);
    const target = enter(`stopLoss: 50, takeProfit: [{ at: 112, share: 0.5 }]`);
    expect(await fillsOf(barTape(FLAT), target)).toEqual(['2 LONG OPEN 106 2 taker', '2 LONG CLOSE 112 1 taker']);
    // The lowest equity: the stop trails up as far as the low still reaches it, and is hit there.
    const trail = await fillsOf(barTape(FLAT), enter(`stopLoss: 50, trailing: { distance: 8 }`));
    expect(trail).toEqual(['2 LONG OPEN 106 2 taker', '2 LONG CLOSE 100 2 taker']);
    const bold = await fillsOf(barTape(FLAT), enter(`stopLoss: 50, trailing: { distance: 8 }`), BOLD);
    expect(bold).toEqual(['2 LONG OPEN 106 2 taker', '3 LONG CLOSE 117 2 taker']);
  });

  test.each([
    ['a trailing stop that no order of the extremes can reach', 'trailing: { distance: 31 }', 0],
    ['a trailing stop that the low reaches after the high', 'trailing: { distance: 30 }', 1],
    ['a break-even that is not reached', 'stopLoss: 50, breakEven: { after: 20 }', 0],
    ['a break-even that the low reaches after the high', 'stopLoss: 50, breakEven: { after: 1 }', 1],
    ['an entry out of reach', 'limit: 60, trailing: { distance: 2 }', 0],
    ['an entry in reach', 'limit: 95, trailing: { distance: 2 }', 1],
  ])('%s: ambiguous bars', async (_, fields, bars) => {
    const tape = barTape([FLAT[0]!, [1, 106, 120, 90, 118, 50]]);
    const { report } = await run(tape, first(`ctx.enter({ market, side: 'LONG', size: 2, ${fields} });`));
    expect(report.notes.join('\n')).toContain(`ambiguous: in ${bars} of 1 bar `);
  });

  describe('with a rung, and a target relative to the average', () => {
    const laddered = first(
      `ctx.enter({ market, side: 'LONG', size: 1, ladder: [{ at: 980, size: 1 }], takeProfit: [{ percent: 1, share: 1, resting: true }] });`,
    );
    const bars = (high: number, low: number, close: number): Row[] => [
      [0, 1000, 1000, 1000, 1000, 50],
      [1, 1000, 1001, 999, 1000, 50],
      [2, 1000, high, low, close, 50],
    ];
    const entered = '2 LONG OPEN 1000 1 taker';
    const rung = '3 LONG OPEN 980 1 maker';

    test('count as ambiguous where the rung brings the target into the bar', async () => {
      const tape = barTape(bars(1005, 975, 978));
      expect(await fillsOf(tape, laddered)).toEqual([entered, rung]);
      expect(await fillsOf(tape, laddered, BOLD)).toEqual([entered, rung, '3 LONG CLOSE 1000 2 maker']);
    });

    test('are tried with the target that the rung moves, and without the rung once the target closed all', async () => {
      const tape = barTape(bars(1015, 970, 975));
      expect(await fillsOf(tape, laddered)).toEqual([entered, '3 LONG CLOSE 1010 1 maker']);
      expect(await fillsOf(tape, laddered, BOLD)).toEqual([entered, rung, '3 LONG CLOSE 1000 2 maker']);
    });
  });

  test('a time stop is a market order at the next open', async () => {
    const handlers = first(`ctx.enter({ market, side: 'LONG', size: 2, stopLoss: 50, maxHoldMs: 30000 });`);
    expect(await fillsOf(barTape(FLAT), handlers)).toEqual(['2 LONG OPEN 106 2 taker', '4 LONG CLOSE 97 2 taker']);
  });

  test('what a strategy orders on a fill leaves at the end of the bar', async () => {
    const handlers = `${first(`ctx.limit(market, 'LONG', 'OPEN', 101, 1);`)},
      onFill(fill: any, market: any, ctx: any) { if (fill.effect === 'OPEN') ctx.close(market, 'LONG', { size: 1 }); }`;
    expect(await fillsOf(barTape(FLAT), handlers)).toEqual(['2 LONG OPEN 101 1 maker', '3 LONG CLOSE 117 1 taker']);
  });
});

describe('several symbols', () => {
  test('an order meets only bars of its symbol that begin when it was given or later', async () => {
    const hours: Row[] = [0, 60, 120].map((minute) => [minute, 50 + minute, 60 + minute, 40 + minute, 55 + minute, 9]);
    const tape = barTape([...FLAT, [60, 100, 110, 90, 105, 50], [61, 100, 110, 90, 105, 50]], 1, ['BTCUSDT', 'ETHUSDT'], hours);
    const fills = await fillsOf(
      tape,
      `onQuote(market: any, ctx: any) { if (market.symbol === 'BTCUSDT' && minute(ctx.now) === 61) ctx.open(ctx.markets[1], 'LONG', { size: 1 }); }`,
    );
    expect(fills).toEqual(['180 LONG OPEN 170.00 1.000 taker']);
  });
});

describe('margin that symbols share', () => {
  /** Each alone falls no further than its margin allows. */
  const fallsAt = (fallen: number): Row[] =>
    [0, 1, 2, 3, 4].map((minute) => [minute, 10_000, 10_000, minute === fallen ? 9_300 : 10_000, 10_000, 1_000_000]);
  const body = `onQuote(market: any, ctx: any) { if (minute(ctx.now) === 1) ctx.open(market, 'LONG', { size: 1 }); }`;

  test.each([
    ['the bar of the entry', 1],
    ['a later bar, in which nothing else happens', 3],
  ])('does not suffice at the worst prices of both together in %s, and the report says so', async (_, fallen) => {
    const falls = fallsAt(fallen);
    const config = configWith({
      risk: { maxOrderSize: '1000', maxPosition: '1000', priceCollar: '0.5' },
      simulation: { deposits: { USDT: '1300' }, leverage: 20, funding: { ...NO_FUNDING } },
      contract: { tickSize: '1', lotSize: '1', priceDecimals: 0, minSize: '1', maxSize: '1000000' },
    });
    const both = barTape(falls, 1, ['BTCUSDT', 'ETHUSDT'], falls, 1);
    const { report, choices } = await run(both, body, { config });
    expect(report.notes.join()).toContain('as if the worst prices of several symbols had come at one moment');
    expect(choices).toBe(1);
    const bold = await run(both, body, { config, ...BOLD });
    expect(bold.report.notes.join()).not.toContain('liquidated');
    const alone = await run(barTape(falls), body, { config });
    expect(alone.report.notes.join()).not.toContain('liquidated');
  });
});

describe('bars that touch nothing that rests', () => {
  const flat = (minute: number, low = 9_990): Row => [minute, 10_000, 10_010, low, 10_000, 1_000_000];
  const fallen = async (deposit: string, orders: string, rows: readonly Row[], given: Partial<BacktestOptions> = {}): Promise<string[]> => {
    const config = configWith({
      risk: { maxOrderSize: '1000', maxPosition: '1000', priceCollar: '0.5' },
      simulation: { deposits: { USDT: deposit }, leverage: 20, funding: { ...NO_FUNDING } },
      contract: { tickSize: '1', lotSize: '1', priceDecimals: 0, minSize: '1', maxSize: '1000000' },
    });
    return fillsOf(barTape(rows), `onBar(bar: any, market: any, ctx: any) { const at = minute(ctx.now); ${orders} }`, { config, ...given });
  };

  test('liquidate all the same, at the low of a bar that closes where it opened', async () => {
    const fills = await fallen('1300', `if (at === 1) ctx.open(market, 'LONG', { size: 1 });`, [
      ...[0, 1, 2, 3].map((k) => flat(k)),
      flat(4, 8_600),
      flat(5),
    ]);
    expect(fills[0]).toBe('2 LONG OPEN 10000 1 taker');
    expect(fills[1]).toMatch(/^5 LONG CLOSE 8[78]\d\d 1 taker$/);
  });

  test('liquidate a position that has grown since the bars before it were safe', async () => {
    const grows = `if (at === 1) ctx.open(market, 'LONG', { size: 1 }); if (at === 4) ctx.open(market, 'LONG', { size: 9 });`;
    const rows = [...[0, 1, 2, 3, 4].map((k) => flat(k)), flat(5, 9_400), flat(6)];
    const fills = await fallen('6000', grows, rows);
    // The liquidation closes tier by tier.
    expect([...new Set(fills.map((one) => one.split(' ').slice(0, 3).join(' ')))]).toEqual(['2 LONG OPEN', '5 LONG OPEN', '6 LONG CLOSE']);
    expect(await fallen('6000', grows.slice(0, grows.indexOf('; if') + 1), rows)).toHaveLength(1);
  });
});

describe('what bars do not show', () => {
  test.each([
    ['single trades', 'onTrade() {}', /scripted wants single trades \(onTrade\) of BTCUSDT, and the tape has bars of 1m alone/],
    ['shorter bars', `needs: { bars: { '30s': 0 } }, onBar() {}`, /wants bars of 30s/],
    ['bars that do not fit', `needs: { bars: { '90s': 0 } }, onBar() {}`, /wants bars of 90s/],
    ['bars of trades', `needs: { bars: { 'tick:5': 0 } }, onBar() {}`, /wants bars of tick:5/],
  ])('%s are refused with the choices', async (_, handlers, what) => {
    const wrong = run(barTape(FLAT), handlers);
    await expect(wrong).rejects.toMatchObject({
      problems: [{ what: expect.stringMatching(what) as string, hint: expect.stringMatching(/--detail.*--inside-bars/) as string }],
    });
  });
});
