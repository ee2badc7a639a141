/**
 * Decides what a web server on loopback accepts: calls to its own address by its own page, or by a program. A page of another origin, and a
 * name that was made to point here (DNS rebinding), are refused. There are no cookies, and no answer allows another origin.
 */
import type { IncomingMessage } from 'node:http';

export interface Origins {
  /** Accepted Host headers: "127.0.0.1:PORT" and "localhost:PORT". */
  readonly hosts: readonly string[];
}

/**
 * The reason for refusing a request; null to let it in. `isEntry`: the form of the file that `tickwright open` writes is of another origin by
 * its nature; it has no effect but a page that shows itself.
 */
export function refusalOf({ headers }: Pick<IncomingMessage, 'headers'>, { hosts }: Origins, isEntry: boolean): string | null {
  const { host = '', origin } = headers;
  if (!hosts.includes(host)) return `expected a call to ${hosts[0]}, found one to ${JSON.stringify(host.slice(0, 100))}`;
  if (isEntry) return null;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'expected a call by the own page, found one by another';
  if (origin !== undefined && origin !== `http://${host}`) return 'expected a call by the own page, found one by another';
  return null;
}

/** Of every answer, beside the policy that says what a page may load. */
export const WEB_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
