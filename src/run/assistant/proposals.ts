/**
 * Proposals of an assistant, a private file each, in the state folder of the bot. A person approves one with the passphrase of the bot. Each
 * is good once, for its effect alone, and for a short time.
 */
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { replaceFile } from '../../edge/file/replace-file.ts';
import { isPassphrase, PASSPHRASE_FILE } from '../../edge/web/passphrase.ts';
import type { Effect, Proposed } from './effects.ts';

export const EXPIRY_MS = 10 * 60_000;
/** Wrong passphrases after which a proposal is void. */
export const WRONG_MOST = 3;
const WAITING_MOST = 20;
/** Without characters that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

export interface Proposal extends Proposed {
  readonly id: string;
  /** What the client calls itself. */
  readonly client: string;
  /** What the assistant says for it. */
  readonly why: string;
  readonly proposedAt: number;
  readonly expiresAt: number;
  readonly effect: Effect;
  readonly wrong: number;
}

/** True if the bot has a passphrase: without it, nothing can be approved, and nothing is proposed. */
export function canApprove(folder: string): boolean {
  return existsSync(join(folder, PASSPHRASE_FILE));
}

/** @throws Failure if too many wait */
export function propose(folder: string, parts: Pick<Proposal, 'name' | 'given' | 'client' | 'why' | 'effect'>, now: number): Proposal {
  for (const { id, expiresAt } of waiting(folder)) if (expiresAt <= now) rmSync(pathOf(folder, id), { force: true });
  if (waiting(folder).length >= WAITING_MOST)
    throw new Failure('proposal-unfit', { what: `${WAITING_MOST} proposals wait already: a person approves them, or they expire` });
  const id = Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const proposal: Proposal = { ...parts, id, proposedAt: now, expiresAt: now + EXPIRY_MS, wrong: 0 };
  mkdirSync(folderOf(folder), { recursive: true, mode: 0o700 });
  writeFileSync(pathOf(folder, id), JSON.stringify(proposal), { mode: 0o600, flag: 'wx' });
  return proposal;
}

/** Those that nobody has used, oldest first. */
export function waiting(folder: string): readonly Proposal[] {
  if (!existsSync(folderOf(folder))) return [];
  return readdirSync(folderOf(folder))
    .filter((name) => /^[a-z2-9]{6}\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(folderOf(folder), name), 'utf8')) as Proposal)
    .sort((a, b) => a.proposedAt - b.proposedAt);
}

/** The proposal of this id, if it may still be approved. @throws Failure */
export function proposalOf(folder: string, id: string, now: number): Proposal {
  if (existsSync(`${pathOf(folder, id)}.used`)) throw unfit(`proposal ${id} was used`);
  const found = waiting(folder).find((one) => one.id === id);
  if (found === undefined) throw unfit(`there is no proposal ${id}`);
  if (now >= found.expiresAt) throw unfit(`proposal ${id} expired at ${new Date(found.expiresAt).toISOString()}`);
  if (found.wrong >= WRONG_MOST) throw unfit(`proposal ${id} is void: the passphrase was wrong ${WRONG_MOST} times`);
  return found;
}

/** @throws Failure if the effect is not the one that was proposed */
export function checkEffect({ id, effect }: Proposal, now: Effect): void {
  if (effect.hash === now.hash) return;
  const changed = now.lines.filter((line) => !effect.lines.includes(line));
  throw unfit(`the effect of proposal ${id} has changed: now it is "${(changed.length > 0 ? changed : now.lines).join(' ')}"`);
}

/** Uses the proposal up, once and for all. @throws Failure if the passphrase is wrong, or another process was first */
export function take(folder: string, { id, ...rest }: Proposal, passphrase: string): void {
  if (!isPassphrase(join(folder, PASSPHRASE_FILE), passphrase)) {
    const wrong = rest.wrong + 1;
    replaceFile(pathOf(folder, id), JSON.stringify({ id, ...rest, wrong }));
    throw unfit(wrong >= WRONG_MOST ? `wrong passphrase: proposal ${id} is void` : 'wrong passphrase');
  }
  try {
    renameSync(pathOf(folder, id), `${pathOf(folder, id)}.used`);
  } catch (cause) {
    throw unfit(`proposal ${id} was used`, cause);
  }
}

function unfit(what: string, cause?: unknown): Failure {
  const hint = 'the assistant may propose it again; `tickwright approve` lists what waits';
  return new Failure('proposal-unfit', { what, hint }, { cause });
}

function folderOf(folder: string): string {
  return join(folder, 'assistant');
}

/** @throws Failure for text that is no id */
function pathOf(folder: string, id: string): string {
  if (!/^[a-z2-9]{6}$/.test(id)) throw new Failure('proposal-unfit', { what: `expected an id of six letters such as a7kq2m, found ${id}` });
  return join(folderOf(folder), `${id}.json`);
}
