/**
 * Preloaded into a program, it watches the program's event loop. It answers each message of its parent with the longest blocking since the
 * last one, and the current memory. Blocking is measured in milliseconds of the main thread's CPU, so that other programs on a busy machine
 * do not count, and by the wall clock.
 */
const TICK_MS = 2;

export interface Stalls {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly rssMb: number;
}

let cpuMs = 0;
let wallMs = 0;
let cpu = process.threadCpuUsage();
let wall = performance.now();

setInterval(() => {
  const { user, system } = process.threadCpuUsage();
  const now = performance.now();
  cpuMs = Math.max(cpuMs, (user + system - cpu.user - cpu.system) / 1000);
  wallMs = Math.max(wallMs, now - wall);
  cpu = { user, system };
  wall = now;
}, TICK_MS).unref();

process.on('message', () => {
  const seen: Stalls = { cpuMs, wallMs, rssMb: process.memoryUsage().rss / 2 ** 20 };
  cpuMs = 0;
  wallMs = 0;
  process.send?.(seen);
});
process.channel?.unref();
