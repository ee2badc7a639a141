/** Says what the pessimistic and the optimistic reading of a backtest change. */
import type { SimulationConfig } from '../../../config/model.ts';
import type { LatencyModel } from '../../../domain/models/latency.ts';
import type { ReadingName } from '../../../report/reading.ts';
import type { LatencySpec } from '../../../sim/port/port.ts';
import type { ReadingTerms } from '../../setup/options.ts';

const LEAST_STEP_MS = 10;

/** `isOnBars`: each bar is one event, without latency. */
export function termsOf(name: Exclude<ReadingName, 'as reported'>, { upMs, downMs }: SimulationConfig, isOnBars: boolean): ReadingTerms {
  if (isOnBars) return name === 'pessimistic' ? CAUTIOUS : BOLD;
  if (name === 'pessimistic') {
    const moreMs = Math.max(LEAST_STEP_MS, upMs, downMs);
    const words = `limit orders fill only when traded through, messages take ${moreMs} ms more, the spread is 1.5 times as wide`;
    return { fillModel: 'through', moreMs, spreadFactor: 1.5, words };
  }
  const fasterMs = Math.floor(Math.min(upMs, downMs) / 2);
  const words = `limit orders fill when their price trades, messages take ${fasterMs} ms less, the spread is as recorded`;
  return { fillModel: 'touch', moreMs: -fasterMs, spreadFactor: 1, words };
}

const CAUTIOUS: ReadingTerms = {
  fillModel: 'through',
  moreMs: 0,
  spreadFactor: 1.5,
  words:
    'of all orders of prices inside a bar the one with the lowest equity, cancels come too late at the open, the spread is 1.5 times as wide',
};
const BOLD: ReadingTerms = {
  fillModel: 'through',
  moreMs: 0,
  spreadFactor: 1,
  isBold: true,
  words: 'of all orders of prices inside a bar the one with the highest equity, cancels come in time at the open, the spread is as stated',
};

/** Every message takes this much longer, at least no time. */
export function delayed({ upMs, downMs, up, down, reads }: LatencySpec, moreMs: number): LatencySpec {
  const later = (model: LatencyModel | null | undefined): LatencyModel | null =>
    model == null ? null : { next: (ms) => Math.max(0, model.next(ms) + moreMs) };
  // A model adds to the configured time or replaces it, so only constant times change here.
  const time = (ms: number, model: LatencyModel | null | undefined): number => (model == null ? Math.max(0, ms + moreMs) : ms);
  const common = { upMs: time(upMs, up), downMs: time(downMs, down), up: later(up), down: later(down) };
  return reads === undefined ? common : { ...common, reads: { up: later(reads.up), down: later(reads.down) } };
}
