/** Proposals: each is good once, for the effect that was proposed, for ten minutes, with the passphrase of the bot. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PASSPHRASE_FILE, passphraseFile } from '../../../../src/edge/web/passphrase.ts';
import type { Effect } from '../../../../src/run/assistant/effects.ts';
import {
  canApprove,
  checkEffect,
  EXPIRY_MS,
  proposalOf,
  propose,
  take,
  waiting,
  WRONG_MOST,
} from '../../../../src/run/assistant/proposals.ts';

const RIGHT = 'correct horse battery';
const effect: Effect = { lines: ['Closes BTCUSDT LONG 2 with market orders.'], forecast: [], hash: 'h1' };
const parts = { name: 'flatten', given: { scope: 'BTCUSDT' }, client: 'test 1', why: 'news', effect } as const;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-proposals-'));
  writeFileSync(join(folder, PASSPHRASE_FILE), passphraseFile(RIGHT, 1_000));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a proposal', () => {
  it('is taken once with the passphrase, and never again', () => {
    const { id } = propose(folder, parts, 1_000);
    expect(statSync(join(folder, 'assistant', `${id}.json`)).mode & 0o777).toBe(0o600);
    const found = proposalOf(folder, id, 2_000);
    expect(found).toMatchObject({ ...parts, proposedAt: 1_000, expiresAt: 1_000 + EXPIRY_MS });
    take(folder, found, RIGHT);
    expect(() => take(folder, found, RIGHT)).toThrow(/was used/);
    expect(() => proposalOf(folder, id, 2_000)).toThrow(/was used/);
    expect(waiting(folder)).toEqual([]);
  });

  it('expires', () => {
    const { id } = propose(folder, parts, 1_000);
    expect(proposalOf(folder, id, 999 + EXPIRY_MS).id).toBe(id);
    expect(() => proposalOf(folder, id, 1_000 + EXPIRY_MS)).toThrow(/expired/);
    propose(folder, parts, 1_000 + EXPIRY_MS);
    expect(existsSync(join(folder, 'assistant', `${id}.json`))).toBe(false);
  });

  it('is void after three wrong passphrases, also for the right one', () => {
    const { id } = propose(folder, parts, 1_000);
    for (let k = 0; k < WRONG_MOST; k++) expect(() => take(folder, proposalOf(folder, id, 2_000), `${RIGHT} `)).toThrow(/wrong passphrase/);
    expect(() => proposalOf(folder, id, 2_000)).toThrow(/void/);
  });

  it('is refused when its effect is another one now', () => {
    const proposal = propose(folder, parts, 1_000);
    expect(() => checkEffect(proposal, { ...effect, forecast: ['another price'] })).not.toThrow();
    const grown = { lines: ['Closes BTCUSDT LONG 3 with market orders.'], forecast: [], hash: 'h2' };
    expect(() => checkEffect(proposal, grown)).toThrow(/has changed: now it is "Closes BTCUSDT LONG 3 with market orders."/);
  });

  it('is found by its id alone, not by a path', () => {
    expect(() => proposalOf(folder, '../../x', 0)).toThrow(/expected an id of six letters/);
    expect(() => proposalOf(folder, 'aaaaaa', 0)).toThrow(/there is no proposal aaaaaa/);
  });

  it('is one of at most twenty that wait', () => {
    for (let k = 0; k < 20; k++) propose(folder, parts, 1_000);
    expect(() => propose(folder, parts, 1_000)).toThrow(/20 proposals wait/);
    expect(propose(folder, parts, 1_000 + EXPIRY_MS).id).toMatch(/^[a-z2-9]{6}$/);
  });

  it('needs a bot that has a passphrase', () => {
    expect(canApprove(folder)).toBe(true);
    rmSync(join(folder, PASSPHRASE_FILE));
    expect(canApprove(folder)).toBe(false);
  });
});
