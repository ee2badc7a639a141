/** What the venue says of opens, for the rule that probes a venue which refuses alike again and again. Said in the log once each way. */
import { CLOSE } from '../../domain/codes.ts';
import type { Order } from '../state/orders.ts';
import type { Core } from '../state/core.ts';

/** Refusals that say something of the market or of one order, and nothing of the next open. */
const PASSING: ReadonlySet<string> = new Set(['would-take', 'order-not-found', 'nothing-to-modify', 'exceeds-position', 'no-position']);

/** The venue accepted what may be an open, after it had refused one. */
export function openTaken({ log }: Core, { effect, context }: Order): void {
  if (effect !== CLOSE && context.circuit.accepted()) log.info('refusals-ended', { symbol: context.instrument.symbol });
}

/** The venue refused what may be an open. */
export function openRefused({ log, now }: Core, { effect, context }: Order, why: string, detail: string): void {
  if (effect === CLOSE || PASSING.has(why) || !context.circuit.refused(why, now)) return;
  const { count, probeAt } = context.circuit;
  log.error('refusal-circuit', { symbol: context.instrument.symbol, why, detail, times: count, probeInMs: probeAt - now });
}
