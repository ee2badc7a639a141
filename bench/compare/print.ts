/** A comparison as a table that a person reads. */
import { DIRECTIONS, directionOf, LIQUIDITIES, ORDER_TYPES } from '../../src/domain/codes.ts';
import { formatLots, formatTicks, type Instrument } from '../../src/domain/instrument.ts';
import { CAUSES, type Cause, type Pair } from './align.ts';
import type { Comparison, Figures } from './compare.ts';
import type { Refusals, RunFill, RunOrder } from './runs.ts';

/** How many fills of the live run came out the same when it was repeated. */
export function sameFills({ runs }: Comparison): { readonly same: number; readonly of: number } {
  const text = (fill: RunFill): string => JSON.stringify(fill);
  const repeated = new Set(runs.repeated.fills.map(text));
  const same = runs.live.fills.filter((fill) => repeated.has(text(fill))).length;
  return { same, of: Math.max(runs.live.fills.length, runs.repeated.fills.length) };
}

/** Pairs by cause. */
export function causesOf(pairs: readonly Pair[]): Map<Cause, number> {
  const counts = new Map<Cause, number>();
  for (const { cause } of pairs) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return counts;
}

export function printed(comparison: Comparison, rows: number): string {
  const { options, measured, figures, pairs, timedPairs, around, repeated, live } = comparison;
  const { same, of } = sameFills(comparison);
  const difference = repeated.divergence;
  const nets = around.map(({ net }) => net);
  const counts = around.map(({ fills }) => fills);
  const { upMs, downMs, pollMs, spread } = measured;
  const out = [
    `${options.strategy} on ${options.symbols.join(', ')} at ${options.speed}×, ${((live.end - live.start) / 1000).toFixed(1)} s live, armed after ${((live.armedAt - live.start) / 1000).toFixed(1)} s`,
    `measured   order up ${upMs} ms (p90 ${spread.upMs}), answer down ${downMs} (${spread.downMs}), due poll up ${pollMs} (${spread.pollMs})`,
    '',
    '                      orders   fills        fees         net',
    line('live', figures.live),
    line('backtest', figures.backtest),
    line('backtest, times as live', figures.timed),
    line('live, repeated', figures.repeated),
    `  ${around.length} backtests around it   fills ${Math.min(...counts)} to ${Math.max(...counts)}, net ${money(Math.min(...nets))} to ${money(Math.max(...nets))}`,
    '',
    `repeated: ${same} of ${of} fills the same to the last digit, the kernel ${difference === null ? 'gave out what was recorded' : `differed at event ${difference.event}: expected ${difference.expected}, found ${difference.found}`}`,
    ...repeated.unmatched.slice(0, 5).map((text) => `  no recorded command for ${text}`),
    '',
    'orders side by side: backtest with mean times, and with the times of each message',
    ...causeLines(pairs, timedPairs),
    ...timing(pairs),
  ];
  const complaints = [...live.complaints].map(([event, count]) => `${event} ${count}×`);
  if (complaints.length > 0) out.push('', `logged live: ${complaints.join(', ')}`);
  const refusals = (given: Refusals): string =>
    Object.entries(given)
      .map(([rule, count]) => `${rule} ${count}×`)
      .join(', ') || 'none';
  out.push(`refused by risk: live ${refusals(comparison.refused.live)}; backtest ${refusals(comparison.refused.backtest)}`);
  if (rows > 0) out.push('', ...table(comparison, rows));
  return `${out.join('\n')}\n`;
}

function causeLines(pairs: readonly Pair[], timedPairs: readonly Pair[]): string[] {
  const [mean, timed] = [causesOf(pairs), causesOf(timedPairs)];
  const causes = Object.keys(CAUSES) as Cause[];
  const found = causes.filter((cause) => mean.has(cause) || timed.has(cause)).sort((a, b) => (mean.get(b) ?? 0) - (mean.get(a) ?? 0));
  const count = (of: Map<Cause, number>, cause: Cause): string => String(of.get(cause) ?? 0).padStart(6);
  return found.map((cause) => `${count(mean, cause)} ${count(timed, cause)}  ${cause.padEnd(12)} ${CAUSES[cause]}`);
}

function line(name: string, { orders, fills, fees, net }: Figures): string {
  return `${name.padEnd(24)} ${String(orders).padStart(3)} ${String(fills).padStart(7)} ${money(fees).padStart(11)} ${money(net).padStart(11)}`;
}

function money(value: number): string {
  return value.toFixed(4);
}

/** How far apart in time orders lie that belong together. */
function timing(pairs: readonly Pair[]): string[] {
  const together = pairs.filter(({ live, backtest }) => live !== null && backtest !== null);
  if (together.length === 0) return [];
  const apart = together.map(({ arrivedLater }) => arrivedLater).sort((a, b) => a - b);
  const at = (share: number): number => apart[Math.floor((apart.length - 1) * share)]!;
  return [`  live orders arrived ${at(0.5)} ms later than the backtest's (p10 ${at(0.1)}, p90 ${at(0.9)}, ${at(0)} to ${at(1)})`];
}

function table({ pairs, instruments, live }: Comparison, rows: number): string[] {
  const out = ['  ms from start  order                        live                      backtest                  cause'];
  for (const pair of pairs.slice(0, rows)) {
    const order = (pair.live ?? pair.backtest)!;
    const what = `${order.symbol} ${DIRECTIONS[directionOf(order.side, order.effect)]} ${ORDER_TYPES[order.type]}`;
    const time = String(order.arrivedAt - live.start).padStart(13);
    const apart = pair.live !== null && pair.backtest !== null ? ` (${pair.arrivedLater >= 0 ? '+' : ''}${pair.arrivedLater} ms)` : '';
    out.push(`  ${time}  ${what.padEnd(28)} ${told(pair.live, instruments)} ${told(pair.backtest, instruments)} ${pair.cause}${apart}`);
  }
  if (pairs.length > rows) out.push(`  … and ${pairs.length - rows} more`);
  return out;
}

function told(order: RunOrder | null, instruments: readonly Instrument[]): string {
  if (order === null) return '–'.padEnd(25);
  const instrument = instruments.find(({ symbol }) => symbol === order.symbol)!;
  const filled = order.fills.map(
    (fill) => `${formatLots(fill.size, instrument)}@${formatTicks(fill.price, instrument)} ${LIQUIDITIES[fill.liquidity]?.[0]}`,
  );
  const wanted = order.price > 0 ? `${formatTicks(order.price, instrument)} ` : '';
  return `${wanted}${filled.length === 0 ? 'no fill' : filled.join(' ')}`.padEnd(25);
}
