/**
 * `monte-carlo`: other possible results of a strategy. Trades in another order and drawn again, returns drawn in blocks, runs on the same tape in which
 * entries come late or are missed, and runs on markets that are drawn to be like the tape.
 */
import { Random } from '../../base/random.ts';
import { OPEN } from '../../domain/codes.ts';
import { makesOrder } from '../../domain/orders/command-traits.ts';
import type { BacktestReport } from '../../report/backtest-report.ts';
import type { MonteCarloResult, RedrawnMarkets } from '../../report/research/monte-carlo-result.ts';
import { strategyNames } from '../../report/shown-strategies.ts';
import { redrawnReturns, redrawnTrades, shuffledTrades, spreadOf, fanOf, type Course, type Fan } from '../../statistics/monte-carlo.ts';
import { loadMarket, openTrials, type LoadedMarket, type TrialOptions } from '../backtest/trials.ts';
import type { BacktestHooks } from '../backtest/inputs/hooks.ts';
import { FaultPort, type CommandFate } from '../testing/fault-port.ts';
import { marketSource } from './redrawn-markets.ts';

export interface MonteCarloOptions extends TrialOptions {
  readonly tape: string;
  /** Curves of each fan. */
  readonly curves: number;
  /** Runs with missed entries for each share. */
  readonly runs: number;
  /** Runs on re-drawn markets; 0 for none. */
  readonly markets: number;
  readonly delaysMs: readonly number[];
  /** Shares of the entries that are missed. */
  readonly missed: readonly number[];
  /** Called after each backtest with the number of those that are done, and of all that there may be. */
  readonly backtestDone?: ((done: number, of: number) => void) | undefined;
}

/** Nobody asks for the prices after fills and for charts. */
const PLAIN: BacktestHooks = { isWatched: false, isDrawn: false };
/** Places of the lines of a fan. */
const POINTS = 101;
/** Time that the bot waits for an answer that does not come. No entry is left without one here. */
const TIMEOUT_MS = 10_000;

/** @throws Failure, TapeError, ParamError */
export async function monteCarlo(options: MonteCarloOptions): Promise<MonteCarloResult> {
  const { curves, runs, delaysMs, missed, seed, strategies, backtestDone } = options;
  const all = 1 + delaysMs.length + options.markets + missed.length * runs;
  let done = 0;
  const ran = <T>(result: T): T => {
    backtestDone?.(++done, all);
    return result;
  };
  const market = loadMarket(options.tape, options.config, options);
  const trials = await openTrials(market, options);
  const run = (hooks: BacktestHooks): BacktestReport =>
    ran(
      trials.run(
        strategies.map(() => ({})),
        { hooks: { ...PLAIN, ...hooks } },
      ),
    );
  const report = run({});
  const start = Number(report.equity.start);
  const nets = Float64Array.from(report.trades, ({ net }) => Number(net));
  const returns = Float64Array.from(report.returns.strategy);
  const fan = (
    draw: (values: Float64Array, o: { start: number; runs: number; points: number; random: Random }) => Fan,
    values: Float64Array,
  ): Fan | null =>
    values.length < 2 ? null : draw(values, { start, runs: curves, points: Math.min(POINTS, values.length + 1), random: new Random(seed) });
  return {
    kind: 'monte-carlo',
    strategy: strategyNames(report),
    start,
    net: Number(report.pnl.net),
    trades: report.stats.trades,
    maxDrawdown: report.equity.maxDrawdownShare,
    shuffled: fan(shuffledTrades, nets),
    redrawn: fan(redrawnTrades, nets),
    blocks: fan(redrawnReturns, returns),
    periodMs: report.returns.periodMs,
    delays: delaysMs.map((delayMs) => {
      const { pnl, stats } = run(onEntries(() => ({ kind: 'late', ms: delayMs })));
      return { delayMs, net: Number(pnl.net), trades: stats.trades };
    }),
    markets: options.markets === 0 ? null : await redrawn(market, options, ran),
    missed: missed.map((share) => ({ share, net: spreadOf(netsWithMissed(run, options, share)) })),
  };
}

/** Runs the strategies on markets that are drawn again. */
async function redrawn(
  market: LoadedMarket,
  options: MonteCarloOptions,
  ran: (report: BacktestReport) => BacktestReport,
): Promise<RedrawnMarkets> {
  const { seed, markets, strategies } = options;
  const source = marketSource(market, seed);
  const { draw, words } = source;
  if (draw === null) return { fan: null, words };
  try {
    const courses: Course[] = [];
    let start = 0;
    for (let k = 1; k <= markets; k++) {
      const trials = await openTrials(draw(seed + k), options);
      const hooks = PLAIN;
      const report = ran(
        trials.run(
          strategies.map(() => ({})),
          { hooks },
        ),
      );
      start = Number(report.equity.start);
      courses.push(courseOf(report));
    }
    return { fan: fanOf(courses, start), words };
  } finally {
    source.close();
  }
}

/** The equity of a run at equal distances of its time. */
function courseOf({ tape, series, equity }: BacktestReport): Course {
  const curve = new Float64Array(POINTS);
  let last = Number(equity.start);
  let at = 0;
  for (let point = 0; point < POINTS; point++) {
    const time = tape.from + ((tape.to - tape.from) * point) / (POINTS - 1);
    while (at < series.time.length && series.time[at]! <= time) last = series.equity[at++]!;
    curve[point] = last;
  }
  const final = Number(equity.end);
  curve[POINTS - 1] = final;
  return { curve, final, maxDrawdown: equity.maxDrawdownShare };
}

/** The result of each run in which entries are missed at random. */
function netsWithMissed(run: (hooks: BacktestHooks) => BacktestReport, { seed, runs }: MonteCarloOptions, share: number): number[] {
  return Array.from({ length: runs }, (_, k) => {
    const random = new Random(seed + k);
    const { pnl } = run(onEntries(() => (random.uniform() < share ? { kind: 'unsent' } : null)));
    return Number(pnl.net);
  });
}

/** Something that happens to each order that opens a position, on its way to the venue. */
function onEntries(fate: () => CommandFate | null): BacktestHooks {
  return {
    port: (port, clock) =>
      new FaultPort({
        port,
        clock,
        tripMs: 0,
        timeoutMs: TIMEOUT_MS,
        command: (command) => (makesOrder(command.kind) && command.effect === OPEN ? fate() : null),
        read: () => null,
      }),
  };
}
