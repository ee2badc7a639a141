/** Makes the part of a status about the symbols that a strategy chooses. */
import type { UniverseAnswer } from '../../../control/answers.ts';
import { type Instrument, tradedName } from '../../../domain/instrument.ts';
import { lackText } from '../../../domain/universe.ts';
import { savedUniverse, type SetupUniverse } from '../../../engine/strategy/definition/universe.ts';

export interface UniverseFacts {
  readonly universe: SetupUniverse;
  readonly instruments: readonly Instrument[];
  /** Infinity while it is not known. */
  readonly choosesAt: number;
  /** What its first choice waits for; "" if for nothing. */
  readonly reading: string;
  /** Requests of trades a minute, by instrument. */
  readonly tradeReads: ReadonlyMap<number, number>;
}

export function universeAnswer({ universe, instruments, choosesAt, reading, tradeReads }: UniverseFacts): UniverseAnswer {
  const { candidates, reasons, terms } = universe;
  const { at, leaving, symbols, terms: text } = savedUniverse(universe, instruments);
  const ranks = new Map(reasons?.ranks.map(([symbol, value], k) => [symbol, { rank: k + 1, value }]));
  const names = candidates.map((index) => tradedName(instruments[index]!));
  const ranked = [...ranks.keys(), ...names.filter((symbol) => !ranks.has(symbol))];
  const whyOut = (symbol: string): string => {
    const lack = reasons?.lacking[symbol];
    if (lack !== undefined) return lackText(lack);
    const rank = ranks.get(symbol)?.rank;
    return rank === undefined ? 'no choice was made yet' : `number ${rank} of ${ranks.size} by ${terms.by}`;
  };
  return {
    by: terms.by,
    top: terms.top,
    candidates: candidates.length,
    terms: text,
    at: Math.max(0, at),
    nextAt: Number.isFinite(choosesAt) ? choosesAt : 0,
    ...(reading === '' ? {} : { reading }),
    chosen: symbols.map((symbol) => {
      const { rank = 0, value = 0 } = ranks.get(symbol) ?? {};
      return { symbol, rank, value, since: reasons?.since[symbol] ?? Math.max(0, at) };
    }),
    leaving,
    out: ranked.filter((symbol) => !symbols.includes(symbol)).map((symbol) => ({ symbol, why: whyOut(symbol) })),
    requestsPerMinute: Math.ceil(candidates.reduce((sum, index) => sum + (tradeReads.get(index) ?? 0), 0)),
  };
}
