/** Whether there is a browser for the tests that need one. */
import { spawnSync } from 'node:child_process';

export const BROWSER = 'chromium';

/** False, and said aloud, if there is none on PATH. */
export function hasChromium(suite: string): boolean {
  if (spawnSync(BROWSER, ['--version']).status === 0) return true;
  console.warn(`SKIPPED: ${suite} needs ${BROWSER} on PATH (apt-get install chromium)`);
  return false;
}
