/** Draws the signals of programs outside to the strategy of a crashtest: what the author says they may, and nonsense. */
import { Random } from '../../base/random.ts';
import type { CrashPlan } from './crash-plan.ts';
import type { SaidSignal } from './recorded-run.ts';

const NONSENSE = ['', 'buy', '{', 'null', '[]', '{"action":null}', '{"action":"__proto__","symbol":"?"}', `"${'x'.repeat(3_990)}"`];
/** Mean time between two signals before the market is stretched, in milliseconds. */
const EVERY_MS = 5_000;

/** Calls of `onSignal` over the time of the plan, the same in each run of it. A tenth of them is nonsense. */
export function crashSignals({ seed, seconds, stretch }: CrashPlan, texts: readonly string[], start: number): readonly SaidSignal[] {
  const random = new Random(seed * 11 + 5);
  const count = Math.floor((seconds * 1_000) / EVERY_MS);
  const signals = Array.from({ length: count }, () => {
    const from = texts.length === 0 || random.below(10) === 0 ? NONSENSE : texts;
    return { at: start + Math.floor(random.uniform() * seconds * 1_000 * stretch), text: from[random.below(from.length)]! };
  });
  return signals.sort((a, b) => a.at - b.at);
}
