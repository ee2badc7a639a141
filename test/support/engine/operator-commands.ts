/** Short forms of operator commands to a kernel. */
import type { Kernel } from '../../../src/engine/kernel.ts';

const PERSON = { by: 'ann', why: 'seen at the venue' };

/** Settles an order of unknown outcome: with its venue id, or null if it did not land. False if it has no unknown outcome. */
export function settle(kernel: Kernel, seq: number, venueId: string | null): boolean {
  return kernel.inbox.operate({ name: 'settle', seq, venueId, ...PERSON }).ok;
}

/** Ends all halts that a person may end. */
export function resumeAll(kernel: Kernel): void {
  kernel.inbox.operate({ name: 'resume', scope: 'all', confirmed: true, ...PERSON });
}
