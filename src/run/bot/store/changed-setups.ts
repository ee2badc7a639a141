/** Strategies as they run after a restart: the configuration, with the parameters that an operator set while the bot ran. */
import { nameOf, type StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import type { KernelSnapshot } from '../../../engine/recovery/registry.ts';

export function changedSetups(setups: readonly StrategySetup[], snapshot: KernelSnapshot | null): StrategySetup[] {
  return setups.map((setup) => ({ ...setup, set: snapshot?.params?.[nameOf(setup)] }));
}
