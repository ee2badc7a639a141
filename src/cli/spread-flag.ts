/** `--spread`: how far bid and ask are apart on a tape of bars. */
import { ValueError } from './values.ts';

/** A price, a share of the price in percent, or a multiple of the average true range. */
export interface SpreadModel {
  readonly kind: 'fixed' | 'percent' | 'atr';
  readonly value: number;
}

/** "0.5" → a price, "0.02%" → a share, "0.1atr" → a multiple of the average true range. @throws Failure */
export function spread(text: string): SpreadModel {
  const found = /^(\d+(?:\.\d+)?)(%|atr)?$/.exec(text);
  if (found === null) {
    throw new ValueError('Expected a price, a share such as 0.02% or a multiple such as 0.1atr.');
  }
  const kind = found[2] === '%' ? 'percent' : found[2] === 'atr' ? 'atr' : 'fixed';
  return { kind, value: Number(found[1]) };
}
