/** Waits for what a check expects. The limit only ends a wait for what never comes: a busy machine is slow. */
import { vi } from 'vitest';

export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 180_000, interval: 20 });
}
