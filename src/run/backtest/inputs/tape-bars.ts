/** Parameters of strategies that follow the bars of the tape. */
import { parseTimeframe, timeframeOf } from '../../../domain/time/timeframe.ts';
import { nameOf, type StrategySetup } from '../../../engine/strategy/definition/setup.ts';

/** The strategies, whose bars are at least `barMs` long where nobody chose their length. With what the report says of it. */
export function onBarsOf(
  strategies: readonly StrategySetup[],
  barMs: number,
): { readonly setups: StrategySetup[]; readonly notes: string[] } {
  const notes: string[] = [];
  const setups = strategies.map((setup): StrategySetup => {
    const changed: Record<string, unknown> = {};
    for (const [name, { isBar, type, fallback }] of Object.entries(setup.strategy.params)) {
      if (isBar !== true || setup.params?.[name] !== undefined || setup.set?.[name] !== undefined) continue;
      const ms = lengthOf(fallback);
      if (ms === 0 || ms % barMs === 0) continue;
      changed[name] = type === 'duration' ? barMs : timeframeOf(barMs);
      notes.push(
        `${nameOf(setup)} runs on bars of ${timeframeOf(barMs)}, those of the tape: its parameter "${name}" is shorter by default.`,
      );
    }
    return notes.length === 0 ? setup : { ...setup, params: { ...setup.params, ...changed } };
  });
  return { setups, notes };
}

function lengthOf(value: unknown): number {
  if (typeof value === 'number') return value;
  const { rule, size } = parseTimeframe(String(value));
  return rule === 'time' ? size : 0;
}
