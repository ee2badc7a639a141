/**
 * Access control of the control plane over HTTP: only local programs with the token. The Unix socket needs no token; its file mode limits
 * access.
 */
import type { IncomingMessage } from 'node:http';
import { sameSecret } from '../signature.ts';

const WINDOW_MS = 60_000;
/** After this many wrong tokens within WINDOW_MS, further wrong ones are told to wait. The right token is never refused. */
const FAILURES_MAX = 20;

export interface Refusal {
  readonly status: 401 | 403 | 429;
  readonly message: string;
}

export class HttpGate {
  /**
   * Accepted Host headers: "127.0.0.1:PORT" and "localhost:PORT". A web page that resolves its own name to this machine sends another one.
   */
  hosts: readonly string[] = [];
  readonly #token: string;
  readonly #now: () => number;
  #failures = 0;
  #since = -Infinity;

  constructor(token: string, now: () => number) {
    this.#token = token;
    this.#now = now;
  }

  /** Returns the reason for refusing the request, or null to let it in. */
  refuse({ headers }: Pick<IncomingMessage, 'headers'>): Refusal | null {
    const isOwnHost = this.hosts.includes(headers.host ?? '');
    const site = headers['sec-fetch-site'];
    const isPage = headers.origin !== undefined || (site !== undefined && site !== 'none');
    if (!isOwnHost || isPage)
      return { status: 403, message: `expected a call to ${this.hosts[0]} by a program, found one by a web page or to another host` };
    const given = /^Bearer (\S{1,200})$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (sameSecret(given, this.#token)) return null;
    const now = this.#now();
    if (now - this.#since > WINDOW_MS) {
      this.#since = now;
      this.#failures = 0;
    }
    if (this.#failures >= FAILURES_MAX) return { status: 429, message: 'too many wrong tokens; wait a minute' };
    this.#failures++;
    return { status: 401, message: 'expected the header "authorization: Bearer TOKEN" with the token of control.token' };
  }
}
