/** One strategy of a bot, as the configuration names it. */
import type { StrategyLimits } from '../../domain/limits.ts';
import type { AnyStrategy } from './define.ts';

/** One running strategy: its definition, its raw parameters (names to values or strings) and where it trades. */
export interface StrategySetup {
  /** Unique in the bot; owns the saved state. Default: the definition's name. */
  readonly name?: string | undefined;
  readonly strategy: AnyStrategy;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** What an operator set by hand, put before those. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** Dense indexes of its instruments. */
  readonly instruments: readonly number[];
  /** Limits of its own. */
  readonly risk?: StrategyLimits | undefined;
}
