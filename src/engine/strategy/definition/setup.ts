/** Configuration of one strategy of a bot. */
import type { StrategyLimits } from '../../../domain/limits.ts';
import type { AnyStrategy } from './define.ts';

/** The name of a running strategy. */
export function nameOf({ name, strategy }: Pick<StrategySetup, 'name' | 'strategy'>): string {
  return name ?? strategy.name;
}

/** One running strategy: its definition, its raw parameters (names to values or strings) and its instruments. */
export interface StrategySetup {
  /** Unique in the bot; saved state belongs to it. Default: the definition's name. */
  readonly name?: string | undefined;
  readonly strategy: AnyStrategy;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** Parameters set by an operator; they override `params`. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** Indexes of its instruments. */
  readonly instruments: readonly number[];
  /** Its own limits. */
  readonly risk?: StrategyLimits | undefined;
}
