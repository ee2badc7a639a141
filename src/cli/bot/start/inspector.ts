/** Detects a debugger port that other machines can reach. Whoever connects to it can read the credentials and trade. */
import { isLoopback } from '../../../config/schema/base-url.ts';

/** The host of an option such as "--inspect=0.0.0.0:9229"; null if no option opens the inspector beyond this machine. */
export function openInspector(options: readonly string[]): string | null {
  for (const [k, option] of options.entries()) {
    const match = /^--(?:inspect(?:-brk|-wait|-port)?|debug-port)(?:=(.*))?$/.exec(option);
    if (match === null) continue;
    // `--inspect` alone takes no word after it; `--inspect-port` does.
    const value = match[1] ?? (option.endsWith('-port') ? (options[k + 1] ?? '') : '');
    const host = value.replace(/:?\d*$/, '');
    if (host !== '' && !isLoopback(host)) return host;
  }
  return null;
}
