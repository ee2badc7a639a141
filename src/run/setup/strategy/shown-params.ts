/** The parameters of a strategy for output. */
import { formatDuration } from '../../../base/time/duration.ts';
import type { StrategySetup } from '../../../engine/strategy/definition/setup.ts';

/** Every parameter with its effective value; durations as text. */
export function shownParams({ params }: StrategySetup['strategy'], given: StrategySetup['params'] = {}): Record<string, unknown> {
  const valueOf = (name: string): unknown => {
    const param = params[name];
    const value = given[name] === undefined ? param?.fallback : param?.parse(given[name]);
    return param?.type === 'duration' ? formatDuration(value as number) : value;
  };
  return Object.fromEntries(Object.keys(params).map((name) => [name, valueOf(name)]));
}
