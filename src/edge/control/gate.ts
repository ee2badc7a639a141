/**
 * Access control of the control plane over HTTP: only local programs with the token. The Unix socket needs no token; its file mode limits
 * access.
 */
import type { IncomingMessage } from 'node:http';
import { bearerToken, notOfProgram, WrongSecrets } from '../callers.ts';
import { sameSecret } from '../signature.ts';

export interface Refusal {
  readonly status: 401 | 403 | 429;
  readonly message: string;
}

export class HttpGate {
  /** Accepted Host headers: "127.0.0.1:PORT" and "localhost:PORT". */
  hosts: readonly string[] = [];
  readonly #token: string;
  readonly #wrong: WrongSecrets;

  constructor(token: string, now: () => number) {
    this.#token = token;
    this.#wrong = new WrongSecrets(now);
  }

  /** Returns the reason for refusing the request, or null to let it in. */
  refuse({ headers }: Pick<IncomingMessage, 'headers'>): Refusal | null {
    const message = notOfProgram(headers, this.hosts);
    if (message !== null) return { status: 403, message };
    if (sameSecret(bearerToken(headers.authorization ?? ''), this.#token)) return null;
    if (this.#wrong.failed()) return { status: 429, message: 'too many wrong tokens; wait a minute' };
    return { status: 401, message: 'expected the header "authorization: Bearer TOKEN" with the token of control.token' };
  }
}
