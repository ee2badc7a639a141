/**
 * Random backtests on bars, each run twice: as users run it, where bars that only move prices are passed over, and with `isPlain`, where
 * every bar is played in full and told by itself. All that the strategies hear, every command and the whole report must be equal.
 */
import * as fc from 'fast-check';
import { Random } from '../../../src/base/random.ts';
import { defineStrategy } from '../../../src/engine/strategy/definition/define.ts';
import type { StrategyContext } from '../../../src/engine/strategy/definition/types.ts';
import type { Market } from '../../../src/engine/intents/market-types.ts';
import type { BacktestReport } from '../../../src/report/backtest-report.ts';
import { prepareBacktest } from '../../../src/run/backtest/backtest.ts';
import { act, enter, optionsOf, TAPE_START, type Case } from './real-run.ts';

export interface SkipCase extends Case {
  /** A strategy acts at one of so many calls. */
  readonly everyNth: number;
  readonly strategies: number;
  /** Fall of the equity at which everything is closed. */
  readonly maxDrawdown: string;
  /** After so many calls a strategy throws at each, is disabled, and its positions are closed; 0 for never. */
  readonly breaks: number;
  /** The bot starts so many minutes after the first bar. */
  readonly late: number;
  /** Its strategies are created again after so many minutes; 0 for never. */
  readonly restart: number;
  /** All strategies have bars of this length alone, '' if they have several. With '1m' they have no onQuote. */
  readonly alone: '' | '1m' | '3m';
  /** True if a strategy hears of bars without a trade, too. */
  readonly hasEmpty: boolean;
  /** True if strategies mostly enter managed trades with exits of all kinds. */
  readonly isManaged: boolean;
}

export const skipCases: fc.Arbitrary<SkipCase> = fc.record({
  seed: fc.nat(1_000_000),
  move: fc.constantFrom(4, 30, 150, 400),
  minutes: fc.constantFrom(90, 240),
  symbols: fc.constantFrom(1, 2),
  volume: fc.constantFrom('none', 'thin', 'wide'),
  spread: fc.constantFrom(0, 1, 4),
  deposit: fc.constantFrom('1000000', '6', '3', '2'),
  leverage: fc.constantFrom(20, 100),
  isBold: fc.boolean(),
  missing: fc.constantFrom(0, 10),
  trail: fc.constantFrom(0, 0, 12),
  everyNth: fc.constantFrom(2, 10, 40),
  strategies: fc.constantFrom(1, 2),
  maxDrawdown: fc.constantFrom('off', 'off', '10%'),
  breaks: fc.constantFrom(0, 0, 150),
  late: fc.constantFrom(0, 0, 7.5, 20),
  restart: fc.constantFrom(0, 0, 33),
  alone: fc.constantFrom('', '', '1m', '3m'),
  hasEmpty: fc.boolean(),
  isManaged: fc.boolean(),
});

export interface SkipRun {
  /** What the strategies heard, and the commands that left. */
  readonly heard: readonly string[];
  readonly report: Omit<BacktestReport, 'performance'>;
  readonly whole: BacktestReport;
  /** Times at which the optimistic reading might go another way. */
  readonly choices: number;
}

const MINUTE = 60_000;

export async function runOf(tape: string, given: SkipCase, isPlain: boolean): Promise<SkipRun> {
  const heard: string[] = [];
  const { maxDrawdown, late, restart, strategies } = given;
  const risk = { maxDrawdown, maxDrawdownAction: 'flatten' } as const;
  const options = { ...optionsOf(tape, given, risk), isPlain, botFrom: TAPE_START + late * MINUTE };
  const config = { ...options.config, onStrategyStop: 'flatten' as const };
  const backtest = await prepareBacktest(
    { ...options, config },
    {
      restartAt: restart === 0 ? undefined : TAPE_START + restart * MINUTE,
      setups: (instruments) =>
        Array.from({ length: strategies }, (_, k) => ({
          strategy: anything(k, given, heard),
          instruments: instruments.flatMap(({ index, product }) => (product === 'futures' ? [index] : [])),
        })),
      journal: (journal) =>
        Object.assign(Object.create(journal) as typeof journal, {
          command: (...[command, strategy, reason]: Parameters<typeof journal.command>): void => {
            heard.push(`command ${JSON.stringify(command)} ${strategy} ${reason}`);
            journal.command(command, strategy, reason);
          },
        }),
    },
  );
  const whole = backtest.run();
  const { performance: _, ...report } = whole;
  return { heard, report, whole, choices: backtest.ambiguity!.choices };
}

/** A strategy with every handler, which notes what it hears and sometimes acts. */
function anything(
  number: number,
  { seed, move, trail, leverage, everyNth, breaks, symbols, alone, hasEmpty, isManaged }: SkipCase,
  heard: string[],
): ReturnType<typeof defineStrategy> {
  const several = number === 0 ? { '3m': 0, '15m': 2 } : { '3m': 5 };
  // The bars of the second symbol have three minutes.
  const bars = alone === '' ? several : { [symbols > 1 ? '3m' : alone]: number };
  return defineStrategy({
    name: `anything-${number}`,
    create(_, markets) {
      const random = new Random(seed + 7 * number + 1);
      let calls = 0;
      function hear(what: string, ctx: StrategyContext, market = markets[random.below(markets.length)]!): void {
        const legs = ctx.markets.map(({ symbol, bid, ask, last, long, short, orders }) =>
          [symbol, bid, ask, last, long.lots, short.lots, orders.length].join(' '),
        );
        const trades = ctx.markets.flatMap((one) =>
          ctx.trades(one).map(({ id, state, size, best, worst, stop }) => [id, state, size, best, worst, stop].join(' ')),
        );
        heard.push([number, ctx.now, what, ctx.account.equity.toFixed(8), ...legs, ...trades].join(' '));
        if (breaks > 0 && ++calls > breaks) throw new Error('it is broken');
        if (random.below(everyNth) === 0) doSomething(market, ctx);
      }
      function doSomething(market: Market, ctx: StrategyContext): void {
        const what = random.below(8);
        if (what === 0) ctx.setTimer(`t${random.below(3)}`, 1 + random.below(4) * 30_000);
        else if (what === 1) ctx.cancelTimer(`t${random.below(3)}`);
        else if (what === 2 && random.below(4) === 0) ctx.schedule('*/7 * * * *', 'more');
        else if (what === 3) openMost(market, ctx);
        else if (what >= 4 && trail === 0 && isManaged) manage(random, move, market, ctx);
        else if (what === 4 || trail > 0) enter(random, { move, trail: Math.max(1, trail) }, market, ctx);
        else act(random, move, market, ctx);
      }
      /** Opens as much as the account allows, which a small move liquidates. */
      function openMost(market: Market, ctx: StrategyContext): void {
        const lots = Math.floor((0.9 * ctx.account.equity * leverage) / (market.last * market.lot));
        if (lots > 0) ctx.open(market, random.below(2) === 0 ? 'LONG' : 'SHORT', { size: lots * market.lot });
      }
      return {
        needs: { bars, emptyBars: hasEmpty ? 'fill' : 'skip' },
        schedule: { calendar: '*/10 * * * *' },
        onStart: (ctx) => hear('start', ctx),
        onBar: (bar, market, ctx) => hear(`bar ${JSON.stringify(bar)}`, ctx, market),
        // Not without empty bars.
        ...(hasEmpty ? { onBars: ({ timeframe, end }, ctx) => hear(`bars ${timeframe} ${end}`, ctx) } : {}),
        onTimer: (name, ctx) => hear(`timer ${name}`, ctx),
        onSchedule: ({ name, at }, ctx) => hear(`schedule ${name} ${at}`, ctx),
        onOrder: ({ order, kind, reason }, ctx) => hear(`order ${order.number} ${kind} ${reason}`, ctx, order.market),
        onFill: ({ order, size, price, cause }, market, ctx) => hear(`fill ${order} ${size} ${price} ${cause}`, ctx, market),
        onExit: ({ market, entered, realised }, ctx) => hear(`exit ${entered} ${realised}`, ctx, market),
        onPosition: ({ market, change, cause }, ctx) => hear(`position ${change} ${cause}`, ctx, market),
        onHalt: (event, ctx) => hear(`halt ${JSON.stringify(event)}`, ctx),
        onStop: (ctx) => hear('stop', ctx),
        // One of them has no onQuote, so that quotes are told to some, to all or to nobody.
        ...(alone === '1m' || (number === 0 && seed % 2 === 0) ? {} : { onQuote: (market, ctx) => hear('quote', ctx, market) }),
      };
    },
  });
}

/** A managed trade with some of the exits that the bot watches, mostly beyond the next bars. */
function manage(random: Random, move: number, market: Market, ctx: StrategyContext): void {
  if (ctx.trades(market).length > 1) return;
  const sign = random.below(2) === 0 ? 1 : -1;
  const away = (): number => (1 + random.below(8 * move)) * market.tick;
  const maybe = <T>(value: T): T | undefined => (random.below(2) === 0 ? value : undefined);
  const target = (): { at: number; share: number; resting: boolean } => ({
    at: market.last + sign * away(),
    share: 0.5,
    resting: random.below(3) === 0,
  });
  ctx.enter({
    market,
    side: sign > 0 ? 'LONG' : 'SHORT',
    size: (2 + random.below(25)) * market.lot,
    stopLoss: maybe(market.last - sign * away()),
    stop: maybe({ distance: away() }),
    takeProfit: maybe([target(), target()]),
    trailing: maybe({ distance: away() }),
    breakEven: maybe({ after: (100 * away()) / market.last }),
    maxHoldMs: maybe(20 * MINUTE),
  });
}

/** The first thing that differs between the two ways, as text; null if nothing does. */
export function differenceOf(fast: SkipRun, plain: SkipRun): string | null {
  const count = Math.max(fast.heard.length, plain.heard.length);
  for (let k = 0; k < count; k++) if (fast.heard[k] !== plain.heard[k]) return `heard ${k}:\n  ${fast.heard[k]}\n  ${plain.heard[k]}`;
  for (const key of Object.keys(plain.report) as (keyof typeof plain.report)[]) {
    const [a, b] = [fast.report, plain.report].map((report) => JSON.stringify(report[key]));
    if (a !== b) return `report.${key}:\n  ${a}\n  ${b}`;
  }
  return null;
}
