/** Whether a debugger may reach this process from another machine: whoever does so reads the credentials and trades. */
import { isLoopback } from '../config/base-url.ts';

/** The host that an option such as "--inspect=0.0.0.0:9229" opens the inspector on; null when it is none, or opens it on this machine alone. */
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
