/** What an operator says to a kernel, in short. */
import type { Kernel } from '../../src/engine/kernel.ts';

const PERSON = { by: 'ann', why: 'seen at the venue' };

/** Says what became of an order whose outcome is unknown: its venue id, or null when it did not land. False when it is not open. */
export function settle(kernel: Kernel, seq: number, venueId: string | null): boolean {
  return kernel.inbox.operate({ name: 'settle', seq, venueId, ...PERSON }).ok;
}

/** Ends all halts that a person may end. */
export function resumeAll(kernel: Kernel): void {
  kernel.inbox.operate({ name: 'resume', scope: 'all', confirmed: true, ...PERSON });
}
