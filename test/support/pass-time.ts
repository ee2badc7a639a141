/** Advances time in a world of a simulated venue, a bot and links between them: whatever is due first runs first. */
import type { Kernel } from '../../src/engine/kernel.ts';
import type { VenueSim } from '../../src/sim/core/venue-core.ts';

export interface TimedWorld {
  readonly clock: { time: number };
  readonly sim: VenueSim;
  readonly kernel: Kernel;
  /** Ports and faulty links, in the order in which they run at equal times. */
  readonly links: readonly { readonly nextDue: number; run(): void }[];
}

/**
 * Runs everything that is due until `time`. At equal times the venue runs before the links and these before the bot. `look` is called after
 * each step.
 */
export function passTime(time: number, { clock, sim, kernel, links }: TimedWorld, look?: () => void): void {
  for (;;) {
    const due = Math.min(sim.nextDue, kernel.nextTimer, ...links.map((one) => one.nextDue));
    if (due > time) break;
    clock.time = Math.max(clock.time, due);
    if (sim.nextDue <= clock.time) sim.advance(clock.time);
    for (const one of links) if (one.nextDue <= clock.time) one.run();
    if (kernel.nextTimer <= clock.time) kernel.inbox.runTimers(clock.time);
    look?.();
  }
  clock.time = time;
}
