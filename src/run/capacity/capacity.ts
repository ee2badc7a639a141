/**
 * `capacity`: the profit of a strategy against its size, with the impact model on. Each run multiplies
 * sizes, limits and deposits on the same tape, so a lower profit per size is the cost of moving the market.
 */
import { Failure } from '../../base/failure/failure.ts';
import type { BotConfig } from '../../config/model.ts';
import { money, whole } from '../../report/document/figures.ts';
import type { CapacityResult, CapacityRow } from '../../report/research/capacity-result.ts';
import { strategyNames } from '../../report/shown-strategies.ts';
import type { BacktestReport } from '../../report/backtest-report.ts';
import { loadMarket, openTrials, type DetailChoice, type TrialOptions } from '../backtest/trials.ts';
import { strategySetups } from '../setup/bot-parts.ts';
import { shownParams } from '../setup/strategy/shown-params.ts';
import { COINS_MAX, scaledChoices, scaledConfig, timesAmount } from './scaled.ts';

export interface CapacityOptions extends TrialOptions, DetailChoice {
  readonly tape: string;
  /** Whole numbers of at least 1, ascending: how many times as large the sizes of each run are. Runs beyond the exact range of money are left out. */
  readonly multiples: readonly number[];
  /** Parameters that are sizes; empty for a strategy that takes its sizes from the equity. */
  readonly sizes: readonly string[];
  readonly onRow?: ((row: CapacityRow) => void) | undefined;
}

/** @throws Failure, TapeError, ParamError */
export async function capacity(options: CapacityOptions): Promise<CapacityResult> {
  const config = withImpact(options.config);
  const market = loadMarket(options.tape, config, options);
  const setups = await strategySetups(options.strategies, market.instruments.instruments, market.instruments.guessed);
  const given = setups.map(({ strategy, params }) => shownParams(strategy, params));
  checkSizes(options.sizes, given);
  const rows: CapacityRow[] = [];
  let first: BacktestReport | null = null;
  for (const multiple of options.multiples) {
    if (isBeyond(rows.at(-1), multiple)) break;
    const scaled = { ...options, config: scaledConfig(config, multiple), strategies: scaledChoices(options.strategies, multiple) };
    const trials = await openTrials(market, scaled);
    const params = given.map((one) => scaledParams(one, options.sizes, multiple));
    const report = trials.run(params);
    first ??= report;
    const row = rowOf(report, multiple, Object.assign({}, ...params) as Record<string, string>);
    rows.push(row);
    options.onRow?.(row);
  }
  const halvesAt = halvingOf(rows);
  const peak = rows.reduce<CapacityRow | null>((best, row) => (row.net > (best?.net ?? 0) ? row : best), null);
  const isOpen = peak !== null && peak === rows.at(-1);
  const found = { rows, halvesAt, peaksAt: peak?.multiple ?? null, isOpen };
  const impact = first?.notes.find((note) => note.includes('an impact of')) ?? '';
  return { kind: 'capacity', strategy: first === null ? '' : strategyNames(first), impact, ...found, sentence: sentenceOf(found) };
}

/** True if the positions of the next run would be worth more than money counts exactly. */
function isBeyond(before: CapacityRow | undefined, multiple: number): boolean {
  return before !== undefined && (before.largest / before.multiple) * multiple > COINS_MAX;
}

/** The impact model as configured; by the square root, measured on the tape, where none is. */
function withImpact(config: BotConfig): BotConfig {
  const { impact } = config.simulation;
  if (impact.model !== 'none') return config;
  return { ...config, simulation: { ...config.simulation, impact: { ...impact, model: 'square-root' } } };
}

/** @throws Failure if a name is a parameter of no strategy */
function checkSizes(sizes: readonly string[], given: readonly Readonly<Record<string, unknown>>[]): void {
  const known = [...new Set(given.flatMap((one) => Object.keys(one)))];
  const unknown = sizes.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Failure('flag-value', {
    what: `expected a parameter that sizes the orders of a strategy, found ${unknown}`,
    where: '--size',
    hint: `the parameters are ${known.join(', ')}; --size none for a strategy that takes its sizes from the equity`,
  });
}

/** @throws Failure if a parameter is no amount */
function scaledParams(given: Readonly<Record<string, unknown>>, sizes: readonly string[], multiple: number): Record<string, string> {
  const own = sizes.filter((name) => Object.hasOwn(given, name));
  return Object.fromEntries(
    own.map((name) => {
      const text = String(given[name]);
      const value = timesAmount(text, multiple);
      if (value !== null) return [name, value];
      throw new Failure('flag-value', {
        what: `expected a parameter that is an amount, such as "0.01" or "100 USDT", found ${name}=${text}`,
        where: '--size',
      });
    }),
  );
}

function rowOf({ pnl, exposure, execution, stats, orders }: BacktestReport, multiple: number, sizes: Record<string, string>): CapacityRow {
  const net = Number(pnl.net);
  return {
    multiple,
    sizes,
    net,
    perSize: net / multiple,
    largest: Number(exposure.largest),
    turnover: Number(exposure.turnover),
    slippage: Number(execution.slippage.amount),
    trades: stats.trades,
    refused: orders.rejected + Object.values(orders.refused).reduce((sum, n) => sum + n, 0),
  };
}

/**
 * The multiple at which the profit per size falls below half of that of the first run, linear in log(multiple) between the two runs around
 * it. Null if it never does, or the first run has no profit.
 */
export function halvingOf(rows: readonly Pick<CapacityRow, 'multiple' | 'perSize'>[]): number | null {
  const half = (rows[0]?.perSize ?? 0) / 2;
  const at = rows.findIndex(({ perSize }) => perSize < half);
  if (!(half > 0) || at < 1) return null;
  const [above, below] = [rows[at - 1]!, rows[at]!];
  const way = (above.perSize - half) / (above.perSize - below.perSize);
  return above.multiple * (below.multiple / above.multiple) ** way;
}

function sentenceOf({ rows, halvesAt, peaksAt, isOpen }: Pick<CapacityResult, 'rows' | 'halvesAt' | 'peaksAt' | 'isOpen'>): string {
  if (rows.every(({ turnover }) => turnover === 0)) return 'No run traded: run `backtest` with the same flags to see why.';
  if (peaksAt === null) return 'No size makes a profit, so there is no capacity to speak of.';
  const largestOf = (multiple: number): string => {
    const row = rows.find((one) => one.multiple === multiple)!;
    return `${whole(multiple)} times the size (positions of at most ${whole(row.largest)}, net ${money(row.net)})`;
  };
  const peak = isOpen
    ? `The profit still grows at ${largestOf(peaksAt)}, the largest size tried.`
    : `The profit peaks at ${largestOf(peaksAt)}.`;
  if (halvesAt === null) return `${peak} The profit per size does not halve in this range.`;
  return `${peak} The profit per size has halved at about ${whole(Number(halvesAt.toPrecision(3)))} times the size.`;
}
