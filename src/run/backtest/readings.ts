/** What the pessimistic and the optimistic reading of a backtest change. */
import type { SimulationConfig } from '../../config/model.ts';
import type { LatencyModel } from '../../domain/models/latency.ts';
import type { ReadingName } from '../../report/reading.ts';
import type { LatencySpec } from '../../sim/port/port.ts';
import type { ReadingTerms } from '../setup/options.ts';
import { DEFAULT_SPREAD, type SpreadModel } from '../../tape/bar-path.ts';

const LEAST_STEP_MS = 10;

/** `hasBars`: prices come from bars. */
export function termsOf(name: Exclude<ReadingName, 'as reported'>, { upMs, downMs }: SimulationConfig, hasBars: boolean): ReadingTerms {
  if (name === 'pessimistic') {
    const moreMs = Math.max(LEAST_STEP_MS, upMs, downMs);
    const bars = hasBars ? ', stops before targets' : '';
    const words = `limit orders fill only when traded through, messages take ${moreMs} ms more, the spread is 1.5 times as wide${bars}`;
    return { fillModel: 'through', moreMs, spreadFactor: 1.5, isTargetFirst: false, words };
  }
  const fasterMs = Math.floor(Math.min(upMs, downMs) / 2);
  const bars = hasBars ? ', targets before stops' : '';
  const words = `limit orders fill when their price trades, messages take ${fasterMs} ms less, the spread is as recorded${bars}`;
  return { fillModel: 'touch', moreMs: -fasterMs, spreadFactor: 1, isTargetFirst: true, words };
}

/** Every message takes this much longer, at least no time. */
export function delayed({ upMs, downMs, up, down, reads }: LatencySpec, moreMs: number): LatencySpec {
  const later = (model: LatencyModel | null | undefined): LatencyModel | null =>
    model == null ? null : { next: (ms) => Math.max(0, model.next(ms) + moreMs) };
  // A model adds to the configured time or replaces it, so only constant times change here.
  const time = (ms: number, model: LatencyModel | null | undefined): number => (model == null ? Math.max(0, ms + moreMs) : ms);
  const common = { upMs: time(upMs, up), downMs: time(downMs, down), up: later(up), down: later(down) };
  return reads === undefined ? common : { ...common, reads: { up: later(reads.up), down: later(reads.down) } };
}

export function widened({ kind, value }: SpreadModel = DEFAULT_SPREAD, factor: number): SpreadModel {
  return { kind, value: value * factor };
}
