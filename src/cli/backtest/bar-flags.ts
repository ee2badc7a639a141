/** Flags of runs on a tape of bars: `--spread`, how far bid and ask are apart, and `--detail`, a finer tape inside the bars. */
import { Failure } from '../../base/failure.ts';
import { requireTape } from '../shell/context.ts';
import type { OptionSpec } from '../shell/plain.ts';
import { ValueError } from '../shell/values.ts';

/** A price, a share of the price in percent, or a multiple of the average true range. */
export interface SpreadModel {
  readonly kind: 'fixed' | 'percent' | 'atr';
  readonly value: number;
}

/** "0.5" → a price, "0.02%" → a share, "0.1atr" → a multiple of the average true range. @throws Failure */
function spread(text: string): SpreadModel {
  const found = /^(\d+(?:\.\d+)?)(%|atr)?$/.exec(text);
  if (found === null) {
    throw new ValueError('Expected a price, a share such as 0.02% or a multiple such as 0.1atr.');
  }
  const kind = found[2] === '%' ? 'percent' : found[2] === 'atr' ? 'atr' : 'fixed';
  return { kind, value: Number(found[1]) };
}

export const SPREAD_OPTION: OptionSpec = {
  flags: '--spread <amount>',
  description: 'bid to ask on a tape of bars: a price, a share such as 0.02%, or 0.1atr',
  usual: '0.01%',
  parse: spread,
};

export const DETAIL_OPTION: OptionSpec = {
  flags: '--detail <folder>',
  description: 'a finer tape, used inside the bars of a tape of bars where it has all of them',
};

export const INSIDE_OPTION: OptionSpec = {
  flags: '--inside-bars',
  description: 'draw prices inside bars by chance and run on them as on trades and quotes: no evidence',
};

/** The folder of --detail. @throws Failure (usage) */
export function detailOf({ detail, speed = 1 }: { readonly detail?: string; readonly speed?: number }): string | undefined {
  if (detail === undefined) return undefined;
  if (speed !== 1)
    throw new Failure('flag-value', { what: `--detail works only at the recorded speed, found --speed ${speed}`, where: '--detail' });
  return requireTape(detail, '--detail');
}
