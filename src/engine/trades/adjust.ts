/** Checks the fields of `trade.add` and `trade.reduce` and computes their lots. */
import { lotsOf, ticksOf } from '../../domain/instrument.ts';
import { lotsOfAmount } from '../../domain/amount.ts';
import { ScaleError } from '../../domain/amounts/scale.ts';
import type { Amount } from '../intents/market-types.ts';
import { unknownField } from '../intents/fields.ts';
import type { EnterProblem } from './enter.ts';
import { ADD_FIELDS, REDUCE_FIELDS } from './trade-fields.ts';
import type { Trade } from './trade.ts';
import type { AddFields, ReduceFields } from './trade-types.ts';

/** The size of an addition: as it was given, or the share of what the trade holds. */
export function addedSize(trade: Trade, fields: AddFields): { readonly size: Amount } | EnterProblem {
  const problem = unknownField(fields, ADD_FIELDS) || whichOf(fields) || stateProblem(trade, 'add to');
  if (problem !== '') return wrong(problem);
  const { size, share } = fields;
  if (share === undefined) return { size: size! };
  if (!(Number.isFinite(share) && share > 0)) return wrong(`share is a part of what the trade holds, above 0, found ${String(share)}`);
  const lots = shareOf(trade.left, share);
  return lots > 0 ? { size: trade.sizeText(lots) } : tooSmall(trade, `${share} of the ${trade.size} that it holds`);
}

/** Lots to close, and the limit price in ticks of the grid as a number (0 for the market). `held`: what no reduction has claimed yet. */
export function reducedLots(
  trade: Trade,
  fields: ReduceFields,
  held: number,
): { readonly lots: number; readonly price: number } | EnterProblem {
  const problem = unknownField(fields, REDUCE_FIELDS) || whichOf(fields) || stateProblem(trade, 'reduce');
  if (problem !== '') return wrong(problem);
  const { size, share, limit } = fields;
  if (share !== undefined && !(share > 0 && share <= 1))
    return wrong(`share is a part of what the trade holds, above 0 and at most 1, found ${String(share)}`);
  const { instrument } = trade;
  if (held <= 0)
    return wrong(
      trade.left > 0 ? 'all that the trade holds is being reduced already' : 'the trade holds nothing yet: wait for its first fill',
    );
  try {
    const lots = share !== undefined ? shareOf(held, share) : lotsIn(size!, trade);
    const what = share !== undefined ? `${share} of the ${trade.sizeText(held)} that it can still reduce` : `a size of ${String(size)}`;
    if (lots > held)
      return {
        rule: 'bad-amount',
        detail: `reduce of ${String(size)} is more than the ${trade.sizeText(held)} that the trade can still reduce`,
      };
    if (lots <= 0) return tooSmall(trade, what);
    if (lots < instrument.minSize && lots < held)
      return { rule: 'bad-amount', detail: `${what} is less than the smallest order, ${trade.sizeText(instrument.minSize)}` };
    const price = limit === undefined ? 0 : Number(limit);
    if (limit !== undefined && !(ticksOf(price, instrument, 'down') > 0))
      return wrong(`limit is a price above 0, found ${JSON.stringify(limit)}`);
    // No order could close a rest below the smallest one while others hold more of the leg.
    return { lots: held - lots < instrument.minSize ? held : lots, price };
  } catch (error) {
    if (!(error instanceof ScaleError)) throw error;
    return { rule: 'bad-amount', detail: error.message };
  }
}

function lotsIn(size: Amount, { instrument }: Trade): number {
  return typeof size === 'number' ? lotsOf(size, instrument, 'down') : lotsOfAmount(size, instrument);
}

function shareOf(lots: number, share: number): number {
  return Math.floor(lots * share + 1e-9);
}

function whichOf({ size, share }: { readonly size?: unknown; readonly share?: unknown }): string {
  return (size === undefined) === (share === undefined) ? 'give size or share, one of them' : '';
}

function stateProblem({ id, state, saved }: Trade, what: string): string {
  if (state === 'closed') return `cannot ${what} trade ${id}: it is closed; enter a new one`;
  return state === 'closing' ? `cannot ${what} trade ${id}: it is closing (${saved.why})` : '';
}

function tooSmall({ instrument }: Trade, what: string): EnterProblem {
  return { rule: 'bad-amount', detail: `${what} is less than one lot (${instrument.lotSize})` };
}

function wrong(detail: string): EnterProblem {
  return { rule: 'bad-trade', detail };
}
