/** Configuration of one strategy of a bot. */
import type { StrategyLimits } from '../../../domain/limits.ts';
import { type AnyStrategy, StrategyError } from './define.ts';
import type { Reload } from './source.ts';
import type { SetupUniverse } from './universe.ts';

/** The name of a running strategy. */
export function nameOf({ name, strategy }: Pick<StrategySetup, 'name' | 'strategy'>): string {
  return name ?? strategy.name;
}

/** Names of the strategies of one bot. @throws StrategyError if two are equal, or if one has no symbols */
export function namesOf(strategies: readonly StrategySetup[]): string[] {
  const names: string[] = [];
  for (const setup of strategies) {
    const name = nameOf(setup);
    if (names.includes(name)) throw new StrategyError(`two strategies are called "${name}"; give one of them a name of its own`);
    if (setup.instruments.length === 0 && setup.universe === undefined) throw new StrategyError(`${name}: no symbols to trade`);
    names.push(name);
  }
  return names;
}

/** One running strategy: its definition, its raw parameters (names to values or strings) and its instruments. */
export interface StrategySetup {
  /** Unique in the bot; saved state belongs to it. Default: the definition's name. */
  readonly name?: string | undefined;
  readonly strategy: AnyStrategy;
  /** The file that it was loaded from. */
  readonly file?: string | undefined;
  /** Names of plain values that the file exports and nothing reads. */
  readonly unread?: readonly string[] | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** Parameters set by an operator; they override `params`. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** Symbols that an operator added or removed, each "added" or "removed"; they are in `instruments`, or not. */
  readonly symbols?: Readonly<Record<string, string>> | undefined;
  /** Set if the strategy has another text than that of its file when the bot started. */
  readonly reload?: Reload | undefined;
  /** Indexes of its instruments. With a universe: those chosen, best first, then those that leave. */
  readonly instruments: readonly number[];
  /** Set if its instruments are chosen while it runs. */
  readonly universe?: SetupUniverse | undefined;
  /** Its own limits. */
  readonly risk?: StrategyLimits | undefined;
}
