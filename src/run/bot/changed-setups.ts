/** Strategies as they run after a restart: the configuration, with the parameters and symbols that an operator changed while the bot ran. */
import type { BotConfig } from '../../config/model.ts';
import { type Instrument, tradedName } from '../../domain/instrument.ts';
import { nameOf, type StrategySetup } from '../../engine/strategy/definition/setup.ts';
import type { KernelSnapshot } from '../../engine/recovery/registry.ts';
import type { Log } from '../../ports/log.ts';
import { type Preflight, tryKernel } from './preflight.ts';

/** Changes of symbols with which no kernel can be made any more, because files or the configuration changed, are dropped and logged. */
export function changedSetups(
  config: BotConfig,
  { instruments, strategies }: Preflight,
  snapshot: KernelSnapshot | null,
  log: Log,
): readonly StrategySetup[] {
  const configured = strategies.map((setup) => ({ ...setup, set: snapshot?.params?.[nameOf(setup)] }));
  const changed = configured.map((setup) => withSymbols(setup, snapshot?.symbols?.[nameOf(setup)] ?? {}, instruments));
  const names = changed.filter(({ symbols }) => symbols !== undefined).map(nameOf);
  if (names.length === 0) return configured;
  try {
    tryKernel(config, { instruments, strategies: changed });
    return changed;
  } catch (error) {
    log.error('symbols-dropped', { strategies: names, error, hint: 'add and remove them again: tickwright add SYMBOL STRATEGY' });
    return configured;
  }
}

function withSymbols(setup: StrategySetup, symbols: Readonly<Record<string, string>>, instruments: readonly Instrument[]): StrategySetup {
  if (Object.keys(symbols).length === 0) return setup;
  const isConfigured = (index: number): boolean => setup.instruments.includes(index);
  const changeOf = (index: number): string => symbols[tradedName(instruments[index]!)] ?? '';
  const stay = setup.instruments.filter((index) => changeOf(index) !== 'removed');
  const added = instruments.filter(({ index }) => changeOf(index) === 'added' && !isConfigured(index)).map(({ index }) => index);
  return { ...setup, symbols, instruments: [...stay, ...added] };
}
