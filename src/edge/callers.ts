/** The checks of callers that servers of this machine share: who is a program and no web page, whose token is right, and who must wait. */
import type { IncomingHttpHeaders } from 'node:http';

const WINDOW_MS = 60_000;
/** After this many wrong secrets within WINDOW_MS, further wrong ones are told to wait. The right one is never refused. */
const FAILURES_MAX = 20;

/** Counts wrong secrets. */
export class WrongSecrets {
  readonly #now: () => number;
  #failures = 0;
  #since = -Infinity;

  /** `now`: milliseconds, from any start. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** One more secret was wrong. True if its caller must wait for a minute. */
  failed(): boolean {
    const now = this.#now();
    if (now - this.#since > WINDOW_MS) [this.#since, this.#failures] = [now, 0];
    return ++this.#failures > FAILURES_MAX;
  }
}

/**
 * Why the call is none of a program on this machine; null if it is one. `hosts`: "127.0.0.1:PORT" and "localhost:PORT". A web page that
 * resolves its own name to this machine sends another Host header.
 */
export function notOfProgram(headers: IncomingHttpHeaders, hosts: readonly string[]): string | null {
  const isOwnHost = hosts.includes(headers.host ?? '');
  const site = headers['sec-fetch-site'];
  const isPage = headers.origin !== undefined || (site !== undefined && site !== 'none');
  if (isOwnHost && !isPage) return null;
  return `expected a call to ${hosts[0]} by a program, found one by a web page or to another host`;
}

/** The token of a header "authorization: Bearer TOKEN"; "" for none. */
export function bearerToken(authorization: string): string {
  return /^Bearer (\S{1,200})$/.exec(authorization)?.[1] ?? '';
}
