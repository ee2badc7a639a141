/** Strategies as they run after a restart: the configuration, with what an operator changed while the bot ran: parameters, symbols, texts. */
import type { BotConfig } from '../../config/model.ts';
import { type Instrument, tradedName } from '../../domain/instrument.ts';
import { nameOf, type StrategySetup } from '../../engine/strategy/definition/setup.ts';
import { withUniverse } from '../../engine/strategy/definition/universe.ts';
import type { KernelSnapshot } from '../../engine/recovery/registry.ts';
import type { Log } from '../../ports/log.ts';
import { assert } from '../../base/failure/assert.ts';
import type { Reload } from '../../engine/strategy/definition/source.ts';
import { strategyOf } from '../setup/strategy/loaded-sources.ts';
import { type Preflight, tryKernel } from './preflight.ts';

const HINT = 'add and remove them again: tickwright add SYMBOL STRATEGY';

/**
 * Changes of symbols with which no kernel can be made any more, because files or the configuration changed, are dropped and logged, strategy
 * by strategy. What the configuration says as well is no change.
 */
export function changedSetups(
  config: BotConfig,
  { instruments, strategies }: Preflight,
  snapshot: KernelSnapshot | null,
  log: Log,
): readonly StrategySetup[] {
  const reloaded = strategies.map((setup) => withReload(setup, snapshot?.reloads?.[nameOf(setup)]));
  const configured = reloaded
    .map((setup) => ({ ...setup, set: snapshot?.params?.[nameOf(setup)] }))
    .map((setup) => withUniverse(setup, snapshot?.universes?.[nameOf(setup)], instruments));
  const changed = configured.map((setup) => withSymbols(setup, snapshot?.symbols?.[nameOf(setup)] ?? {}, instruments));
  if (failureWith(config, instruments, changed) === null) return changed;
  let setups: readonly StrategySetup[] = configured;
  for (const [k, setup] of changed.entries()) {
    if (setup === configured[k]) continue;
    const next = setups.with(k, setup);
    const error = failureWith(config, instruments, next);
    if (error === null) setups = next;
    else log.error('symbols-dropped', { strategies: [nameOf(setup)], error, hint: HINT });
  }
  return setups;
}

/** The text of a reload, which was loaded before. */
export function withReload(setup: StrategySetup, reload: Reload | undefined): StrategySetup {
  if (reload === undefined) return setup;
  const strategy = strategyOf(reload.source);
  assert(strategy !== undefined, 'the text of a reloaded strategy is loaded before the strategy is made', nameOf(setup));
  return { ...setup, strategy, reload };
}

/** Why no kernel can be made of these strategies; null if it can. */
function failureWith(config: BotConfig, instruments: readonly Instrument[], strategies: readonly StrategySetup[]): unknown {
  if (strategies.every(({ symbols }) => symbols === undefined)) return null;
  try {
    tryKernel(config, { instruments, strategies });
    return null;
  } catch (error) {
    return error;
  }
}

function withSymbols(setup: StrategySetup, given: Readonly<Record<string, string>>, instruments: readonly Instrument[]): StrategySetup {
  if (setup.universe !== undefined) return setup;
  const isConfigured = (symbol: string): boolean => setup.instruments.some((index) => tradedName(instruments[index]!) === symbol);
  const differing = Object.entries(given).filter(([symbol, change]) => (change === 'added') !== isConfigured(symbol));
  if (differing.length === 0) return setup;
  const symbols = Object.fromEntries(differing);
  const changeOf = (index: number): string => symbols[tradedName(instruments[index]!)] ?? '';
  const stay = setup.instruments.filter((index) => changeOf(index) !== 'removed');
  const added = instruments.filter(({ index }) => changeOf(index) === 'added').map(({ index }) => index);
  return { ...setup, symbols, instruments: [...stay, ...added] };
}
