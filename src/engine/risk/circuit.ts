/** Passes accepted and refused opens to the refusal circuit of their symbol, and logs when it opens and closes. */
import { CLOSE } from '../../domain/codes.ts';
import type { Order } from '../state/records/orders.ts';
import type { Core } from '../state/core.ts';

/** Refusals about the market or one order, which say nothing about the next open. */
const PASSING: ReadonlySet<string> = new Set(['would-take', 'order-not-found', 'nothing-to-modify', 'exceeds-position', 'no-position']);

/** The venue accepted an order that may open, after refusals. */
export function openAccepted({ log }: Core, { effect, context }: Order): void {
  if (effect !== CLOSE && context.circuit.accepted()) log.info('refusals-ended', { symbol: context.instrument.symbol });
}

/** The venue refused an order that may open. */
export function openRefused({ log, now }: Core, { effect, context }: Order, why: string, detail: string): void {
  if (effect === CLOSE || PASSING.has(why) || !context.circuit.refused(why, now)) return;
  const { count, probeAt } = context.circuit;
  log.error('refusal-circuit', { symbol: context.instrument.symbol, why, detail, times: count, probeInMs: probeAt - now });
}
