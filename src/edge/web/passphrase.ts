/**
 * The passphrase of a person, for acts that raise risk. It never leaves the page: the page proves that it knows it, for one act and one challenge
 * (as SCRAM, RFC 5802, without the signature of the server, whose answers are proven by the session). The file has only what checks such a proof.
 * PBKDF2 and not scrypt, because that is what a browser has.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Challenge } from '../../control/monitor-routes.ts';

/** In the state folder of the bot. */
export const PASSPHRASE_FILE = 'passphrase.json';
/** After so many wrong proofs within WINDOW_MS none is looked at, the right one neither, until that time is over. */
export const WRONG_MOST = 5;
export const WINDOW_MS = 10 * 60_000;
/** A challenge is good for one proof, and for this long. */
const CHALLENGE_MS = 5 * 60_000;
const CHALLENGES_MOST = 100;
const ROUNDS = 600_000;

/** What the file has: `key` is the SHA-256 of the key that comes from the passphrase. Both as base64. */
type Kept = Pick<Challenge, 'salt' | 'rounds'> & { readonly key: string };

interface PassphraseOptions {
  readonly file: string;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

/** What a session wants to do, and what it gives as its proof. */
export interface Act {
  readonly session: string;
  /** The name of the command. */
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** `{nonce, proof}`; anything else is no proof. */
  readonly factor: unknown;
}

export type Checked =
  | { readonly kind: 'proven' }
  /** No passphrase has been chosen. */
  | { readonly kind: 'unset' }
  /** A proof is needed; `isWrong` if one was given that was wrong. */
  | { readonly kind: 'asked'; readonly isWrong: boolean; readonly challenge: Challenge }
  /** Too many were wrong. `isNew` if this was the last of them. */
  | { readonly kind: 'locked'; readonly isNew: boolean; readonly forMs: number };

export class Passphrase {
  readonly #options: PassphraseOptions;
  readonly #challenges = new Map<string, { readonly session: string; readonly until: number }>();
  /** Times of the wrong proofs, oldest first. */
  #wrong: number[] = [];

  constructor(options: PassphraseOptions) {
    this.#options = options;
  }

  /** Looks at the proof of an act; each challenge is good for one. @throws Error if the file cannot be read */
  check({ session, name, fields, factor }: Act): Checked {
    const now = this.#options.now();
    const kept = this.#kept();
    if (kept === null) return { kind: 'unset' };
    this.#wrong = this.#wrong.filter((time) => now - time < WINDOW_MS);
    if (this.#wrong.length >= WRONG_MOST) return { kind: 'locked', isNew: false, forMs: this.#lockedMs(now) };
    const { nonce, proof } = typeof factor === 'object' && factor !== null ? (factor as Record<string, unknown>) : {};
    const challenge = typeof nonce === 'string' ? this.#challenges.get(nonce) : undefined;
    // A proof without a challenge of this session says nothing of the passphrase.
    if (typeof nonce !== 'string' || challenge?.session !== session || challenge.until <= now) return this.#ask(session, kept, false);
    this.#challenges.delete(nonce);
    if (typeof proof === 'string' && isProof(kept, Buffer.from(proof, 'base64'), messageOf(nonce, name, fields))) {
      this.#wrong = [];
      return { kind: 'proven' };
    }
    this.#wrong.push(now);
    if (this.#wrong.length >= WRONG_MOST) return { kind: 'locked', isNew: true, forMs: this.#lockedMs(now) };
    return this.#ask(session, kept, true);
  }

  #lockedMs(now: number): number {
    return this.#wrong[0]! + WINDOW_MS - now;
  }

  #ask(session: string, { salt, rounds }: Kept, isWrong: boolean): Checked {
    const nonce = randomBytes(32).toString('base64');
    this.#challenges.set(nonce, { session, until: this.#options.now() + CHALLENGE_MS });
    const [oldest] = this.#challenges.keys();
    if (this.#challenges.size > CHALLENGES_MOST && oldest !== undefined) this.#challenges.delete(oldest);
    return { kind: 'asked', isWrong, challenge: { nonce, salt, rounds } };
  }

  /** Read each time: a passphrase that was chosen or removed meanwhile holds at once. */
  #kept(): Kept | null {
    const { file } = this.#options;
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : null;
  }
}

/** The text of the file for a passphrase. */
export function passphraseFile(passphrase: string, rounds = ROUNDS): string {
  const salt = randomBytes(16);
  const key = createHash('sha256').update(pbkdf2Sync(passphrase.normalize('NFKC'), salt, rounds, 32, 'sha256'));
  const kept: Kept = { salt: salt.toString('base64'), rounds, key: key.digest('base64') };
  return `${JSON.stringify(kept)}\n`;
}

/** True if the passphrase, typed at a terminal, is the one that the file checks. @throws Error if the file cannot be read */
export function isPassphrase(file: string, typed: string): boolean {
  const { salt, rounds, key } = JSON.parse(readFileSync(file, 'utf8')) as Kept;
  const found = createHash('sha256').update(pbkdf2Sync(typed.normalize('NFKC'), Buffer.from(salt, 'base64'), rounds, 32, 'sha256'));
  return timingSafeEqual(found.digest(), Buffer.from(key, 'base64'));
}

/** What a proof is about: this challenge, and this act alone. */
function messageOf(nonce: string, name: string, fields: object): string {
  return `${nonce}\n${name}\n${JSON.stringify(fields)}`;
}

/** True if the proof, without the signature that hides it, is the key that comes from the passphrase. */
function isProof({ key }: Kept, proof: Buffer, message: string): boolean {
  const stored = Buffer.from(key, 'base64');
  const signature = createHmac('sha256', stored).update(message).digest();
  if (proof.length !== signature.length) return false;
  const found = signature.map((byte, k) => byte ^ proof[k]!);
  return timingSafeEqual(createHash('sha256').update(found).digest(), stored);
}
