/** Time passes in a world of a simulated venue, a bot, and what stands between them: whatever is due first is run first. */
import type { Kernel } from '../../src/engine/kernel.ts';
import type { VenueSim } from '../../src/sim/core/venue-core.ts';

export interface TimedWorld {
  readonly clock: { time: number };
  readonly sim: VenueSim;
  readonly kernel: Kernel;
  /** Ports and faulty lanes, in the order in which they run at one moment. */
  readonly lanes: readonly { readonly nextDue: number; run(): void }[];
}

/** Runs all that is due until `time`, at one moment the venue before the lanes before the bot; `look` is called after each moment. */
export function passTime(time: number, { clock, sim, kernel, lanes }: TimedWorld, look?: () => void): void {
  for (;;) {
    const due = Math.min(sim.nextDue, kernel.nextTimer, ...lanes.map((one) => one.nextDue));
    if (due > time) break;
    clock.time = Math.max(clock.time, due);
    if (sim.nextDue <= clock.time) sim.advance(clock.time);
    for (const one of lanes) if (one.nextDue <= clock.time) one.run();
    if (kernel.nextTimer <= clock.time) kernel.inbox.runTimers(clock.time);
    look?.();
  }
  clock.time = time;
}
