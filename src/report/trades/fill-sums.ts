/** Sums up over all fills what a report needs, in one pass. */
import { Digest } from '../../base/digest.ts';
import { TAKER } from '../../domain/codes.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { note, type FillLog } from '../fills/fill-log.ts';
import { RoundTrips, type KnownOfTrades } from './round-trips.ts';

export interface FillSums {
  readonly trips: RoundTrips;
  readonly takers: number;
  /** By label. */
  readonly byLabel: readonly number[];
  /** The value of all fills in money, as a double, and to the cent. */
  readonly turnover: number;
  readonly turnoverText: string;
  /** That of FillLog. */
  readonly digest: string;
}

/** In money units of 10⁻⁸. */
const HALF_A_CENT = 500_000n;

export function fillSums(fills: FillLog, instruments: readonly Instrument[], known: KnownOfTrades): FillSums {
  const trips = new RoundTrips(fills, instruments, known);
  const byLabel = fills.labels.all.map(() => 0);
  const digest = new Digest();
  let takers = 0;
  let turnover = 0;
  // The exact sum may exceed the exact range of a double, so it is kept in two parts.
  let whole = 0n;
  let part = 0;
  fills.each((fill) => {
    trips.add(fill);
    note(digest, fill);
    byLabel[fill.label]!++;
    if (fill.liquidity === TAKER) takers++;
    const value = fill.price * fill.size * (instruments[fill.instrument]?.unitValue ?? 0);
    turnover += value;
    if (part + value > Number.MAX_SAFE_INTEGER) {
      whole += BigInt(part);
      part = 0;
    }
    part += value;
  });
  const cents = (whole + BigInt(part) + HALF_A_CENT) / (2n * HALF_A_CENT);
  const turnoverText = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
  return { trips, takers, byLabel, turnover, turnoverText, digest: digest.hex() };
}
