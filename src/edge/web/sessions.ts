/**
 * Who may look at the monitor and who may operate. Secrets are 256 random bits; only their digests are kept, in memory: they end with the
 * process.
 */
import { hash, randomBytes } from 'node:crypto';
import type { LinkRow } from '../../control/monitor-routes.ts';

export type Role = LinkRow['role'];

/** A one-time token is good for this long. */
export const TOKEN_MS = 30_000;
const HOUR_MS = 3_600_000;
/** Most tokens, links and sessions that are remembered, of each kind; the oldest are dropped. */
const MOST = 1_000;
/** After this many wrong secrets within WINDOW_MS, further wrong ones are told to wait. The right one is never refused. */
const FAILURES_MAX = 20;
const WINDOW_MS = 60_000;

export interface Session {
  readonly id: string;
  readonly role: Role;
}

export type LoggedIn =
  | { readonly kind: 'session'; readonly secret: string; readonly session: Session }
  | { readonly kind: 'refused'; readonly code: 'wrong' | 'expired' | 'wait' }
  /** The token had been used before: the session that it gave is revoked. */
  | { readonly kind: 'reused'; readonly revoked: string };

interface Token {
  readonly role: Role;
  readonly expiresAt: number;
  /** Id of the session that it gave; "" before. */
  usedBy: string;
}

type Row = { -readonly [K in keyof LinkRow]: LinkRow[K] };

export class Sessions {
  readonly #now: () => number;
  readonly #onRevoked: (id: string) => void;
  readonly #tokens = new Map<string, Token>();
  /** Sessions and links by the digest of their secret. */
  readonly #sessions = new Map<string, Row>();
  readonly #links = new Map<string, Row>();
  /** Link of a session that came by one. */
  readonly #linkOf = new Map<string, string>();
  #failures = 0;
  #failingSince = -Infinity;

  /** `onRevoked` gets the id of each session that ends before its time. */
  constructor(now: () => number, onRevoked: (id: string) => void) {
    this.#now = now;
    this.#onRevoked = onRevoked;
  }

  /** A token that gives one session, once, within TOKEN_MS. */
  token(role: Role): string {
    const secret = newSecret();
    put(this.#tokens, digest(secret), { role, expiresAt: this.#now() + TOKEN_MS, usedBy: '' });
    return secret;
  }

  /** A link that gives sessions which only view, until it expires or is revoked. */
  link(name: string, hours: number): LinkRow & { readonly token: string } {
    const token = newSecret();
    const row = { ...this.#row('link', 'view'), name, expiresAt: this.#now() + hours * HOUR_MS };
    put(this.#links, digest(token), row);
    return { ...row, token };
  }

  /** Lets a secret that is kept elsewhere in for as long as the process runs. */
  admit(secret: string, role: Role): void {
    put(this.#sessions, digest(secret), { ...this.#row('session', role), name: role });
  }

  /** Exchanges a token or the secret of a link for a session. */
  login(secret: string): LoggedIn {
    const key = digest(secret);
    const [token, link] = [this.#tokens.get(key), this.#links.get(key)];
    if (token !== undefined) {
      if (token.usedBy !== '') {
        this.revoke(token.usedBy);
        return { kind: 'reused', revoked: token.usedBy };
      }
      if (token.expiresAt <= this.#now()) return { kind: 'refused', code: 'expired' };
      const made = this.#session(token.role, 0, '');
      token.usedBy = made.session.id;
      return made;
    }
    if (link === undefined) return { kind: 'refused', code: this.#fail() };
    if (link.expiresAt <= this.#now()) return { kind: 'refused', code: 'expired' };
    link.usedAt = this.#now();
    const made = this.#session('view', link.expiresAt, link.name);
    this.#linkOf.set(made.session.id, link.id);
    return made;
  }

  /** The session of a secret; a refusal if there is none. */
  find(secret: string): Session | 'wrong' | 'wait' {
    const session = this.#sessions.get(digest(secret));
    if (session === undefined || !this.#isCurrent(session)) return this.#fail();
    session.usedAt = this.#now();
    return session;
  }

  /** True while the session has neither ended nor been revoked. */
  isCurrent(id: string): boolean {
    return [...this.#sessions.values()].some((row) => row.id === id && this.#isCurrent(row));
  }

  rows(): readonly LinkRow[] {
    return [...this.#links.values(), ...this.#sessions.values()].filter((row) => this.#isCurrent(row));
  }

  /** Ends a session, or a link with all sessions that it gave. False if there is none of this id. */
  revoke(id: string): boolean {
    let isFound = false;
    for (const [key, { id: own }] of this.#links) if (own === id) isFound = this.#links.delete(key);
    for (const [key, { id: own }] of this.#sessions) {
      if (own !== id && this.#linkOf.get(own) !== id) continue;
      isFound = this.#sessions.delete(key);
      this.#linkOf.delete(own);
      this.#onRevoked(own);
    }
    return isFound;
  }

  #session(role: Role, expiresAt: number, name: string): Extract<LoggedIn, { kind: 'session' }> {
    const secret = newSecret();
    const row = { ...this.#row('session', role), name, expiresAt, usedAt: this.#now() };
    put(this.#sessions, digest(secret), row);
    return { kind: 'session', secret, session: row };
  }

  #row(kind: LinkRow['kind'], role: Role): Row {
    return { id: randomBytes(6).toString('hex'), name: '', role, kind, createdAt: this.#now(), expiresAt: 0, usedAt: 0 };
  }

  #isCurrent({ expiresAt }: LinkRow): boolean {
    return expiresAt === 0 || expiresAt > this.#now();
  }

  #fail(): 'wrong' | 'wait' {
    const now = this.#now();
    if (now - this.#failingSince > WINDOW_MS) [this.#failingSince, this.#failures] = [now, 0];
    return ++this.#failures > FAILURES_MAX ? 'wait' : 'wrong';
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function digest(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

function put<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
}
