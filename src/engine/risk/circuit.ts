/** Passes accepted and refused orders to the refusal circuits of their symbol, and logs when that of opens opens and closes. */
import { assert } from '../../base/failure/assert.ts';
import { CLOSE } from '../../domain/codes.ts';
import type { Order } from '../state/orders/orders.ts';
import type { Core } from '../state/core.ts';

/** Refusals about the market or one order, which say nothing about the next open. */
const PASSING: ReadonlySet<string> = new Set(['would-take', 'order-not-found', 'nothing-to-modify', 'exceeds-position', 'no-position']);

/** The venue accepted an order after refusals. */
export function orderAccepted({ log }: Core, { effect, context }: Order): void {
  if (effect === CLOSE) context.closeCircuit.accepted();
  else if (context.circuit.accepted()) log.info('refusals-ended', { symbol: context.instrument.symbol });
}

/** The venue refused an order. */
export function orderRefused({ log, now }: Core, { effect, context }: Order, why: string, detail: string): void {
  if (effect === CLOSE && why === 'unknown-instrument') context.closeCircuit.refused(why, now);
  if (effect === CLOSE || PASSING.has(why) || !context.circuit.refused(why, now)) return;
  const { count, probeAt } = context.circuit;
  assert(probeAt > now, 'an open circuit lets an order pass later', probeAt - now, 'instrument', context.index);
  log.error('refusal-circuit', { symbol: context.instrument.symbol, why, detail, times: count, probeInMs: probeAt - now });
}
