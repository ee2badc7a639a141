/**
 * Knows who may look at the monitor and who may operate. Secrets are 256 random bits; only their digests are kept, in memory: they end with
 * the process. So do the keys of proofs.
 */
import { createHmac, hash, randomBytes } from 'node:crypto';
import { HOUR_MS } from '../../base/time/time-spans.ts';
import type { LinkRow } from '../../control/monitor-routes.ts';
import { WrongSecrets } from '../callers.ts';

export type Role = LinkRow['role'];

/** A one-time token is good for this long. */
export const TOKEN_MS = 30_000;
/** Most tokens that are remembered; the oldest are dropped. */
const TOKENS_MOST = 1_000;
/**
 * Most links of a session, and most sessions of a link or of all tokens together. The one unused for longest ends for a new one of the same
 * origin, so whoever has a link ends no session but those of this link.
 */
export const MOST = 64;

export interface Session {
  readonly id: string;
  readonly role: Role;
}

export type LoggedIn =
  /** `proof` is the key of the proofs of this session. */
  | { readonly kind: 'session'; readonly secret: string; readonly proof: string; readonly session: Session }
  | { readonly kind: 'refused'; readonly code: 'wrong' | 'expired' | 'wait' }
  /** The token had been used before: the session that it gave is revoked. */
  | { readonly kind: 'reused'; readonly revoked: string };

interface Token {
  readonly role: Role;
  readonly expiresAt: number;
  /** Id of the session that it gave; "" before. */
  usedBy: string;
}

/** `proof`: see `prove`. */
type Row = { readonly proof: string } & { -readonly [K in keyof LinkRow]: LinkRow[K] };

export class Sessions {
  readonly #now: () => number;
  readonly #onRevoked: (id: string) => void;
  readonly #tokens = new Map<string, Token>();
  /** Sessions and links by the digest of their secret, oldest first. */
  readonly #rows = new Map<string, Row>();
  readonly #wrong: WrongSecrets;

  /** `onRevoked` gets the id of each session that ends before its time. */
  constructor(now: () => number, onRevoked: (id: string) => void) {
    this.#now = now;
    this.#wrong = new WrongSecrets(now);
    this.#onRevoked = onRevoked;
  }

  /** A token that gives one session, once, within TOKEN_MS. */
  token(role: Role): string {
    const secret = newSecret();
    this.#tokens.set(digest(secret), { role, expiresAt: this.#now() + TOKEN_MS, usedBy: '' });
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size > TOKENS_MOST && oldest !== undefined) this.#tokens.delete(oldest);
    return secret;
  }

  /** A link that gives sessions which only view, until it expires or is revoked. It ends with the session `from` that made it. */
  link(name: string, hours: number, from: Session): LinkRow & { readonly token: string } {
    const token = newSecret();
    const row = this.#add(token, { kind: 'link', role: 'view', from: from.id, name, expiresAt: this.#now() + hours * HOUR_MS });
    return { ...shown(row), token };
  }

  /** Lets a secret that is kept elsewhere in for as long as the process runs. */
  admit(secret: string, role: Role): void {
    this.#add(secret, { kind: 'session', role, from: 'file', name: role, expiresAt: 0 });
  }

  /** Exchanges a token or the secret of a link for a session. */
  login(secret: string): LoggedIn {
    const key = digest(secret);
    const [token, link] = [this.#tokens.get(key), this.#rows.get(key)];
    if (token !== undefined) {
      if (token.usedBy !== '') {
        this.revoke(token.usedBy);
        return { kind: 'reused', revoked: token.usedBy };
      }
      if (token.expiresAt <= this.#now()) return { kind: 'refused', code: 'expired' };
      const made = this.#session({ role: token.role, from: 'token', name: '', expiresAt: 0 });
      token.usedBy = made.session.id;
      return made;
    }
    if (link?.kind !== 'link') return { kind: 'refused', code: this.#fail() };
    if (!this.#isCurrent(link)) return { kind: 'refused', code: 'expired' };
    link.usedAt = this.#now();
    return this.#session({ role: 'view', from: link.id, name: link.name, expiresAt: link.expiresAt });
  }

  /** The session of a secret; a refusal if there is none. */
  find(secret: string): Session | 'wrong' | 'wait' {
    const session = this.#rows.get(digest(secret));
    if (session?.kind !== 'session' || !this.#isCurrent(session)) return this.#fail();
    session.usedAt = this.#now();
    return session;
  }

  /**
   * HMAC-SHA256 of the nonce as base64url, by the key that the login gave. A caller knows by it that this process answers: another one that took
   * the port is given the secret of the session with each call, and never this key.
   */
  prove(id: string, nonce: string): string {
    const row = [...this.#rows.values()].find((one) => one.id === id);
    return row === undefined ? '' : createHmac('sha256', row.proof).update(nonce).digest('base64url');
  }

  /** True if the session of this id has not ended. */
  isGood(id: string): boolean {
    return [...this.#rows.values()].some((row) => row.id === id && this.#isCurrent(row));
  }

  /** Links and sessions that have not ended. */
  rows(): readonly LinkRow[] {
    return [...this.#rows.values()].filter((row) => this.#isCurrent(row)).map(shown);
  }

  /** Ends a link or a session, with all links and sessions that came from it. False if there is none of this id. */
  revoke(id: string): boolean {
    const found = [...this.#rows].find(([, row]) => row.id === id);
    if (found !== undefined) this.#rows.delete(found[0]);
    if (found?.[1].kind === 'session') this.#onRevoked(id);
    for (const row of this.#rows.values()) if (row.from === id) this.revoke(row.id);
    return found !== undefined;
  }

  #session(given: Pick<Row, 'role' | 'from' | 'name' | 'expiresAt'>): Extract<LoggedIn, { kind: 'session' }> {
    const secret = newSecret();
    const session = this.#add(secret, { ...given, kind: 'session' });
    session.usedAt = session.createdAt;
    return { kind: 'session', secret, proof: session.proof, session };
  }

  #add(secret: string, given: Pick<Row, 'kind' | 'role' | 'from' | 'name' | 'expiresAt'>): Row {
    for (const row of this.#rows.values()) if (!this.#isCurrent(row)) this.revoke(row.id);
    const alike = [...this.#rows.values()].filter(({ kind, from }) => kind === given.kind && from === given.from);
    const [idlest] = alike.sort((a, b) => lastSign(a) - lastSign(b));
    if (alike.length >= MOST) this.revoke(idlest!.id);
    const row = { ...given, id: randomBytes(6).toString('hex'), createdAt: this.#now(), usedAt: 0, proof: newSecret() };
    this.#rows.set(digest(secret), row);
    return row;
  }

  #isCurrent({ expiresAt }: LinkRow): boolean {
    return expiresAt === 0 || expiresAt > this.#now();
  }

  #fail(): 'wrong' | 'wait' {
    return this.#wrong.failed() ? 'wait' : 'wrong';
  }
}

function lastSign({ createdAt, usedAt }: LinkRow): number {
  return Math.max(createdAt, usedAt);
}

function shown({ proof: _proof, ...row }: Row): LinkRow {
  return row;
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function digest(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
