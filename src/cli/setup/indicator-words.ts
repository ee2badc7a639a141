/** Inputs and parameters of indicators in words. */
import type { IndicatorParam } from '../../indicators/core/params.ts';

/** What `update` takes, in words. */
export const INPUTS = {
  value: 'a number, or a bar (its close)',
  bar: 'a bar',
  volumeBar: 'a bar with volume',
  timedBar: 'a bar with volume and start',
  pair: 'two numbers',
  quote: 'a quote `{ bid, ask, bidSize, askSize }`',
  trade: 'a trade `{ price, size, side }`',
} as const;

/** A parameter with its default and what is allowed. */
export function shownParam(param: IndicatorParam): string {
  if (param.kind === 'choice') return `${param.name} = ${param.initial} (${param.choices.join(', ')})`;
  return `${param.name} = ${param.initial} (${param.kind}, ${param.min} to ${param.max})`;
}
