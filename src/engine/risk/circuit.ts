/** What the venue says of opens, for the rule that probes a venue which refuses alike again and again. Said in the log once each way. */
import { CLOSE } from '../../domain/codes.ts';
import type { Order } from '../state/orders.ts';
import type { Core } from '../state/core.ts';

/** Refusals that say something of the market or of one order, and nothing of the next open. */
const PASSING: ReadonlySet<string> = new Set(['would-take', 'order-not-found', 'nothing-to-modify', 'exceeds-position', 'no-position']);

/** The venue accepted what may be an open, after it had refused one. */
export function openTaken({ log }: Core, { effect, desk }: Order): void {
  if (effect !== CLOSE && desk.circuit.accepted()) log.info('refusals-ended', { symbol: desk.instrument.symbol });
}

/** The venue refused what may be an open. */
export function openRefused({ log, now }: Core, { effect, desk }: Order, why: string, detail: string): void {
  if (effect === CLOSE || PASSING.has(why) || !desk.circuit.refused(why, now)) return;
  const { count, probeAt } = desk.circuit;
  log.error('refusal-circuit', { symbol: desk.instrument.symbol, why, detail, times: count, probeInMs: probeAt - now });
}
