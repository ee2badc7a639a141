/** Positions and account: the legs, and the account as last read. */
import type { UnruledPosition } from '../../../domain/report.ts';
import { Leg } from '../records/leg.ts';

export class Portfolio {
  /** By 2 · instrument + side. */
  readonly legs: readonly Leg[];
  /** Start time of the newest applied position read, by instrument. */
  readonly readAt: Float64Array;
  /** Positions in symbols without rules, by the newest list (E19): no order can be made for them. */
  unruled: readonly UnruledPosition[] = [];
  /** Money of the account (E9) as last read; NaN before. */
  equity = Number.NaN;
  available = Number.NaN;
  locked = Number.NaN;
  unrealised = Number.NaN;

  /** The newest list has these; undefined for none. */
  readUnruled(unruled: readonly UnruledPosition[] | undefined): void {
    this.unruled = unruled ?? [];
  }

  constructor(instruments: number) {
    this.legs = Array.from({ length: instruments * 2 }, (_, index) => new Leg(index));
    this.readAt = new Float64Array(instruments).fill(-Infinity);
  }
}
