/** Applies parameters that an operator set at runtime: at the next start they replace those of the configuration. */
import { nameOf, type StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import type { KernelSnapshot } from '../../../engine/recovery/registry.ts';
import type { Log } from '../../../ports/log.ts';

/** A parameter that the strategy no longer has is dropped and logged. */
export function withParamsSet(setups: readonly StrategySetup[], snapshot: KernelSnapshot | null, log: Log): StrategySetup[] {
  return setups.map((setup) => {
    const name = nameOf(setup);
    const given = snapshot?.params?.[name];
    if (given === undefined || Object.keys(given).length === 0) return setup;
    const unknown = Object.keys(given).filter((key) => !Object.hasOwn(setup.strategy.params, key));
    if (unknown.length === 0) return { ...setup, set: given };
    log.error('parameters-dropped', { strategy: name, params: given, unknown, hint: `set them again: tickwright set ${name} NAME=VALUE` });
    return setup;
  });
}
