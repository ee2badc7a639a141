/** Forecasts of flatten and kill that people asked for (operator/flat/flat-runs.ts). */
import type { Forecast, ForecastScore } from '../../../domain/messages/forecast.ts';
import { KEPT_MOST, keyOf, type SavedForecasts } from '../../operator/flat/flat-runs.ts';
import type { DurablePart, Fold } from './part.ts';

export const FORECASTS = {
  key: 'forecasts',
  fold({ kept = [], running = [] } = { kept: [], running: [] }): Fold<SavedForecasts> {
    const waiting = new Map(kept.map((one) => [keyOf(one), one]));
    const goingOn = new Map(running.map((one) => [one.scope, one]));
    return {
      apply({ kind, data }) {
        if (kind === 'forecast') {
          const forecast = data['forecast'] as Forecast;
          // The newest is the last one, as in the running kernel.
          waiting.delete(keyOf(forecast));
          waiting.set(keyOf(forecast), forecast);
          for (const oldest of waiting.keys()) if (waiting.size > KEPT_MOST) waiting.delete(oldest);
        } else if (kind === 'forecast-taken') {
          const key = keyOf(data as unknown as Pick<Forecast, 'command' | 'scope'>);
          const forecast = waiting.get(key);
          waiting.delete(key);
          if (data['isCurrent'] === true && forecast !== undefined) goingOn.set(forecast.scope, forecast);
        } else if (kind === 'forecast-scored') goingOn.delete((data['score'] as ForecastScore).forecast.scope);
      },
      save: () => (waiting.size + goingOn.size === 0 ? undefined : { kept: [...waiting.values()], running: [...goingOn.values()] }),
    };
  },
  live: ({ flattener }) => flattener.runs,
} as const satisfies DurablePart<'forecasts', SavedForecasts>;
