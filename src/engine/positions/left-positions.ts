/** Positions in symbols that no strategy trades: each is logged once, at the start or when an own order that was left has opened it. */
import { assert } from '../../base/failure/assert.ts';
import { SIDES } from '../../domain/codes.ts';
import { formatLots } from '../../domain/instrument.ts';
import type { Core } from '../state/core.ts';
import type { Leg } from '../state/records/leg.ts';

export class LeftPositions {
  /** Legs of those symbols that have been flat since the start. */
  readonly flat = new Set<Leg>();
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** From now on no strategy trades the symbol of this leg. */
  begin(leg: Leg): void {
    if (leg.total > 0 || leg.shown > 0) this.#report(leg);
    else this.flat.add(leg);
  }

  /** A strategy trades the symbol of this leg again. */
  end(leg: Leg): void {
    this.flat.delete(leg);
  }

  /** An own order filled on this leg. */
  filled(leg: Leg): void {
    if (leg.total > 0 && this.flat.delete(leg)) this.#report(leg);
  }

  #report(leg: Leg): void {
    const { instruments, log } = this.#core;
    assert(Math.max(leg.total, leg.shown) > 0, 'a position without a strategy has lots', leg.total, 'leg', leg.index);
    const instrument = instruments[leg.index >> 1]!;
    const size = formatLots(Math.max(leg.total, leg.shown), instrument);
    const hint = leg.own > 0 ? 'nothing watches it; `tickwright flatten` closes what is own' : 'it is not of this bot';
    log.warn('position-without-strategy', {
      symbol: instrument.symbol,
      side: SIDES[leg.index & 1],
      size,
      own: formatLots(leg.own, instrument),
      hint,
    });
  }
}
