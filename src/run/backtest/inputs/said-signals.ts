/** The signals of `backtest --signals`: each is given when the market has come to its time, on bars at the end of the bar that it falls into. */
import { Failure } from '../../../base/failure/failure.ts';
import { didYouMean } from '../../../base/text/suggest.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { SignalGiven } from '../../setup/options.ts';
import type { Interruption } from '../loop/interruptions.ts';

export class SaidSignals {
  readonly interruptions: readonly Interruption[];
  readonly #given: readonly SignalGiven[];
  #heard = 0;
  #refused = '';

  /** Those from `from` to before `to`, in milliseconds since 1970. @throws Failure (signals-unreadable) if a signal is for no strategy of the run */
  constructor(kernel: Kernel, given: readonly SignalGiven[], { from, to }: { readonly from: number; readonly to: number }) {
    this.#given = given;
    const names = kernel.status().strategies.map(({ name }) => name);
    const all = given.map((one) => ({ at: one.at, run: this.#giver(kernel, strategyOf(one, names), one) }));
    this.interruptions = all.filter(({ at }) => from <= at && at < to);
  }

  /** What became of them, for the report. */
  get notes(): readonly string[] {
    const { length } = this.#given;
    if (length === 0) return [];
    const rest = length - this.#heard;
    const first = `${this.#heard} of ${length} signals were given to their strategy.`;
    if (rest === 0) return [first];
    const why = this.#refused === '' ? 'the others are outside of the time of the run' : `the first that was refused: ${this.#refused}`;
    return [`${first.slice(0, -1)}; ${why}.`];
  }

  #giver(kernel: Kernel, strategy: string, { at, text }: SignalGiven): () => void {
    return () => {
      const result = kernel.inbox.operate({ name: 'signal', strategy, text, by: 'signals', why: '' });
      if (result.ok) this.#heard++;
      else this.#refused ||= `${new Date(at).toISOString()}: ${result.message}`;
    };
  }
}

/** The name of the strategy that hears the signal, of those of a run. @throws Failure (signals-unreadable) if it is none of them */
export function strategyOf({ strategy, at }: SignalGiven, names: readonly string[]): string {
  if (strategy === '' && names.length === 1) return names[0]!;
  if (names.includes(strategy)) return strategy;
  const found = strategy === '' ? 'none' : `"${strategy}"`;
  throw new Failure('signals-unreadable', {
    what: `signal at ${new Date(at).toISOString()}: expected a strategy of this run, found ${found}`,
    where: '--signals',
    hint: didYouMean(strategy, names) ?? `there are ${names.join(', ')}`,
  });
}
