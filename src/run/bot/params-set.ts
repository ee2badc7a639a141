/** Parameters that an operator set while the bot ran, put before those of the configuration at the next start. */
import type { StrategySetup } from '../../engine/strategy/setup.ts';
import type { KernelSnapshot } from '../../engine/recovery/kernel-snapshot.ts';
import type { Log } from '../../ports/log.ts';

/** One that the strategy does not take any more is dropped and told: it may be another version by now. */
export function withParamsSet(setups: readonly StrategySetup[], snapshot: KernelSnapshot | null, log: Log): StrategySetup[] {
  return setups.map((setup) => {
    const name = setup.name ?? setup.strategy.name;
    const given = snapshot?.params?.[name];
    if (given === undefined || Object.keys(given).length === 0) return setup;
    const unknown = Object.keys(given).filter((key) => !Object.hasOwn(setup.strategy.params, key));
    if (unknown.length === 0) return { ...setup, set: given };
    log.error('parameters-dropped', { strategy: name, params: given, unknown, hint: `say them again: tickwright set ${name} NAME=VALUE` });
    return setup;
  });
}
