/** An order whose outcome is lost, and a venue that never shows it. */
import { CANCEL } from '../../../src/domain/codes.ts';
import { rejection, settleReads, type Rig } from './engine-kit.ts';

/** Places one order whose outcome is lost. */
export function ambiguous(r: Rig): number {
  const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
  r.venue.unknown(n, 'timeout');
  return n;
}

/** Every cancel is answered with "Order not found". */
export function findsNothing(r: Rig): void {
  r.venue.onExecute = ({ kind, seq }) => void (kind === CANCEL && r.venue.rejected(seq, rejection('order-not-found')));
}

/** For `ms`, every read is answered and shows nothing. */
export function silence(r: Rig, ms: number): void {
  for (let passed = 0; passed < ms; passed += 100) {
    r.advance(100);
    for (let left = 3; left > 0 && r.open.length > 0; left--) settleReads(r, [], []);
  }
}
