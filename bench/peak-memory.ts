/** The most memory that this process held, in MB. */
import { readFileSync } from 'node:fs';

/**
 * Linux counts it for each program (VmHWM). `maxRSS` of `process.resourceUsage()` also counts the memory that the parent held when it
 * started this process.
 */
export function peakMb(): number {
  try {
    const [, kB] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kB !== undefined) return Number(kB) / 1024;
  } catch {
    // No /proc: not Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
}
