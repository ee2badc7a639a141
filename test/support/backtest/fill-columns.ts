/** The fills of a run, and other rows that are read in order, as arrays. */
import type { FillLog, LoggedFill } from '../../../src/report/fills/fill-log.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { RoundTrips } from '../../../src/report/trades/round-trips.ts';
import type { RoundTrip, TradeParts } from '../../../src/report/trades/trade.ts';
import type { RowPages } from '../../../src/report/fills/row-pages.ts';

export function fillsOf(log: FillLog): LoggedFill[] {
  const fills: LoggedFill[] = [];
  log.each((fill) => fills.push({ ...fill }));
  return fills;
}

/** All numbers of all rows. */
export function numbersIn(rows: RowPages): number[] {
  const numbers: number[] = [];
  rows.each((page, end) => numbers.push(...page.subarray(0, end)));
  return numbers;
}

/** The trades of a log. */
export function roundTrips(
  log: FillLog,
  instruments: readonly Instrument[],
): { trades: RoundTrip[]; parts: TradeParts[]; wins: number; losses: number } {
  const trips = new RoundTrips(log, instruments, {});
  log.each((fill) => trips.add(fill));
  return { trades: trips.newest(), parts: [...trips.parts()], wins: trips.wins, losses: trips.losses };
}
