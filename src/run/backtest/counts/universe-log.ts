/** Records what strategies chose while a backtest ran, and what could not be chosen. */
import type { Lack } from '../../../domain/universe.ts';
import type { SavedUniverse } from '../../../engine/strategy/definition/universe.ts';

export interface UniverseChoice {
  readonly strategy: string;
  /** The moment, in milliseconds. */
  readonly at: number;
  /** Best first. */
  readonly symbols: readonly string[];
  /** Candidates that could not be chosen, with the reason. */
  readonly lacking: Readonly<Record<string, Lack>>;
}

export class UniverseLog {
  readonly choices: UniverseChoice[] = [];

  /** A record of the journal. Those that only say what has left are no choice. */
  record(data: Readonly<Record<string, unknown>>): void {
    const strategy = String(data['strategy']);
    const { at, symbols, reasons } = data['universe'] as SavedUniverse;
    if (this.choices.findLast((one) => one.strategy === strategy)?.at === at) return;
    this.choices.push({ strategy, at, symbols, lacking: reasons?.lacking ?? {} });
  }
}
