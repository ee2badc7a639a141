/**
 * Preloaded into a program, it watches the program's event loop and answers each message of its parent with what it saw since the
 * last: the longest stretch of work without a pause, in milliseconds of the main thread's own CPU, so that other programs of a busy
 * machine do not count, and by the wall clock; and the memory it holds now.
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
