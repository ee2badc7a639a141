/**
 * Halts that only a person lifts. Each has a scope (all, a symbol, or one leg of a symbol), a code that says what happened, and words
 * with numbers. They are in the journal and in the snapshot, so that a restart does not lift them.
 */
import { LONG, SIDES } from '../../domain/codes.ts';
import type { Instrument } from '../../domain/instrument.ts';

export interface Hold {
  /** "all", "BTCUSDT", "spot:BTCUSDT" or "BTCUSDT LONG". */
  readonly scope: string;
  /** What happened, in lower-case words with dashes. */
  readonly code: string;
  readonly why: string;
  readonly since: number;
}

/** The scope of everything. */
const ALL = 'all';

/** The scope of one instrument, or of one leg of it. */
function scopeOf({ symbol, product }: Instrument, side = -1): string {
  const name = product === 'spot' ? `spot:${symbol}` : symbol;
  return side < 0 ? name : `${name} ${SIDES[side]!}`;
}

/** What a person types to lift it. */
export function liftCommand(scope: string): string {
  return scope === ALL ? 'tickwright resume' : `tickwright resume ${scope.split(' ')[0]!}`;
}

/** Whether the hold at `scope` is a part of `of`: all has every part, a symbol has its legs. */
export function isWithin(scope: string, of: string): boolean {
  return of === ALL || scope === of || scope.startsWith(`${of} `);
}

/** Bit 1 for LONG and bit 2 for SHORT: which legs of the instrument the hold at `scope` shuts. */
export function legsShut(scope: string, instrument: Instrument): number {
  const name = scopeOf(instrument);
  if (scope === ALL || scope === name) return 3;
  if (scope === scopeOf(instrument, LONG)) return 1;
  return scope.startsWith(`${name} `) ? 2 : 0;
}
