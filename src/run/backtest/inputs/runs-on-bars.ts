/** Backtests on a tape of bars: when a run is one, what it changes of the configuration, and what the report says of it. */
import { Failure } from '../../../base/failure/failure.ts';
import { counted } from '../../../base/text/figures.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import { money } from '../../../report/document/figures.ts';
import { DEFAULT_SPREAD, type SpreadModel } from '../../../tape/bars/bar-reader.ts';
import { Cover } from '../../../tape/bars/finer-rows.ts';
import type { Manifest, StreamInfo } from '../../../tape/file/manifest.ts';
import { isBarMarket } from '../../../tape/read.ts';
import type { Detail } from '../../setup/instruments/detail.ts';
import type { BacktestOptions } from '../../setup/options.ts';
import type { Ambiguity } from '../counts/ambiguity.ts';

/** True if a symbol of the tape has bars and nothing finer to trade on. */
export function hasBarMarket({ streams, symbols }: Pick<Manifest, 'streams' | 'symbols'>): boolean {
  return symbols.some(({ symbol }) => isBarMarket(streams, symbol));
}

/** True if every bar is one event: the tape and what is finer have bars alone, and nothing is to be drawn inside them. */
export function playsBars(tape: Pick<Manifest, 'streams' | 'symbols'>, { detail, insideBars }: BacktestOptions): boolean {
  if (insideBars === true || !tape.symbols.every(({ symbol }) => isBarMarket(tape.streams, symbol))) return false;
  return detail === undefined || [...detail.covers.keys()].every((symbol) => isBarMarket(detail.manifest.streams, symbol));
}

/** On bars a quote is as fresh as the bars are long. */
export function onBars(options: BacktestOptions, { streams }: Pick<Manifest, 'streams'>): BacktestOptions {
  const { config } = options;
  const { staleAfterMs: stated } = config.risk;
  const staleAfterMs = stated === 'off' ? stated : Math.max(stated, 2 * longestBar({ streams }));
  const fillModel = 'through';
  return {
    ...options,
    config: { ...config, simulation: { ...config.simulation, fillModel }, risk: { ...config.risk, staleAfterMs } },
  };
}

export function longestBar({ streams }: Pick<Manifest, 'streams'>): number {
  return Math.max(...streams.map((stream) => stream.barMs ?? 0));
}

/** The bars that are played: of the detail tape where it has all of a symbol, of both where it has a part. */
export function playedBars({ streams }: Pick<Manifest, 'streams'>, { detail }: Pick<BacktestOptions, 'detail'>): readonly StreamInfo[] {
  return streams.flatMap((stream) => {
    if (stream.kind !== 'bars') return [];
    const finer = detail?.manifest.streams.find(({ kind, symbol }) => kind === 'bars' && symbol === stream.symbol);
    const covers = detail?.covers.get(stream.symbol);
    if (finer === undefined || covers === undefined) return [stream];
    return covers.every((cover) => cover === Cover.bar || cover === Cover.onward) ? [finer] : [stream, finer];
  });
}

/** @throws Failure if a strategy needs what a bar does not show */
export function refuseFiner(kernel: Kernel, played: readonly StreamInfo[], where: string): void {
  for (const { strategy, symbol, wants, sizeMs } of kernel.rowNeeds) {
    const lengths = played.flatMap((one) => (one.symbol === symbol && one.barMs !== undefined ? [one.barMs] : []));
    if (sizeMs > 0 && lengths.every((barMs) => sizeMs % barMs === 0)) continue;
    // A bar that the detail tape does not have is played as it is.
    const has = `bars of ${lengths.map(lengthOf).join(' and ')}`;
    const barMs = Math.max(...lengths);
    throw new Failure('data-invalid', {
      what: `${strategy} wants ${wants} of ${symbol}, and the tape has ${has} alone: what happened inside them is not known`,
      where,
      hint: `name a tape of trades and quotes, or of shorter bars, with --tape, or give it beside this one with --detail; ${sizeMs > 0 ? `choose a timeframe that is a multiple of ${lengthOf(barMs)}; ` : ''}--inside-bars draws a path through each bar by chance, which is no evidence`,
    });
  }
}

function lengthOf(ms: number): string {
  for (const [unit, name] of [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'm'],
  ] as const)
    if (ms % unit === 0) return `${ms / unit}${name}`;
  return `${ms / 1000}s`;
}

/** What the report says of a market of bars before the run. */
export function barNotes(manifest: Pick<Manifest, 'streams'>, { kind, value }: SpreadModel = DEFAULT_SPREAD, isBold = false): string[] {
  const lengths = [...new Set(manifest.streams.flatMap(({ barMs }) => (barMs === undefined ? [] : [lengthOf(barMs)])))];
  const wide = { fixed: `${value}`, percent: `${value} % of the price`, atr: `${value} times the average range of 14 bars` }[kind];
  const path = isBold ? 'highest' : 'lowest';
  return [
    `the market is bars of ${lengths.join(' and ')}, each one event at its end: orders meet the open of the next bar (no latency, no order rates), and nothing inside a bar is seen before it ends.`,
    `where more than one order could fill in a bar, the order of its prices is the one with the ${path} equity at its end.`,
    `on bars the spread is ${wide}, a limit order fills only when it is traded through, and data counts as stale after two bars.`,
  ];
}

/** What it says of them after the run. */
export function ambiguityNotes({ bars, ambiguous, profit, withoutVolume, gaps, joint }: Ambiguity, unmet: number): string[] {
  const notes = [
    `ambiguous: in ${ambiguous} of ${counted(bars, 'bar')} with own orders or positions two or more own prices lay in one bar, so what came first is not known; the profit in them is ${money((profit / 1e8).toFixed(2))}.`,
  ];
  if (withoutVolume > 0) notes.push(`in ${counted(withoutVolume, 'bar')} without a volume orders filled by price alone.`);
  if (gaps > 0) notes.push(`orders or positions waited over ${counted(gaps, 'gap')} between bars for the next open there was.`);
  if (joint > 0)
    notes.push(
      `liquidated ${counted(joint, 'time')} as if the worst prices of several symbols had come at one moment; the optimistic reading leaves that out, and the truth lies between.`,
    );
  if (unmet > 0) notes.push(`${counted(unmet, 'command')} met no bar any more: never filled.`);
  return notes;
}

/** What it says of a run inside whose bars prices were drawn. */
export function drawnNotes(manifest: Pick<Manifest, 'streams' | 'symbols'>, detail: Detail | undefined): string[] {
  if (!hasBarMarket(manifest)) return [];
  const which = detail === undefined ? '' : ' where the detail tape has none';
  return [
    `prices inside bars were drawn by chance${which}, as a walk without a trend from the open to the close: drawn inside bars, no evidence.`,
  ];
}
