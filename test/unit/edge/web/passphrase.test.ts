/** The passphrase for acts that raise risk: the proofs that the page makes, and what becomes of forged, replayed and wrong ones. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Challenge } from '../../../../src/control/monitor-routes.ts';
import { Passphrase, passphraseFile, WINDOW_MS, WRONG_MOST } from '../../../../src/edge/web/passphrase.ts';
import { factorOf } from '../../../support/monitor/page-passphrase.ts';

const RIGHT = 'correct horse, Straße';
let folder: string;
let file: string;
let now: number;
let passphrase: Passphrase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-'));
  file = join(folder, 'passphrase.json');
  writeFileSync(file, passphraseFile(RIGHT, 1_000));
  now = 5_000;
  passphrase = new Passphrase({ file, now: () => now });
});
afterEach(() => rmSync(folder, { recursive: true }));

const check = (factor: unknown, { session = 'ann', name = 'resume', fields = {} } = {}) =>
  passphrase.check({ session, name, fields: { ...fields }, factor });

function challenge(session = 'ann'): Challenge {
  const asked = check(undefined, { session });
  if (asked.kind !== 'asked') throw new Error(asked.kind);
  return asked.challenge;
}

const typed = async (text: string, fields = {}) => factorOf(text, challenge(), 'resume', fields);
const asked = (isWrong: boolean) => ({ kind: 'asked', isWrong });

it('takes the proof of the right passphrase, in any spelling of its letters, for the act that it was made for', async () => {
  expect(check(await typed(RIGHT))).toEqual({ kind: 'proven' });
  expect(check(await typed(RIGHT.normalize('NFD'), { why: 'é' }), { fields: { why: 'é' } })).toEqual({ kind: 'proven' });
});

it('takes a proof once: a replay, or one for another act, other fields or another session, is worth nothing', async () => {
  const factor = await typed(RIGHT);
  expect([check(factor).kind, check(factor)]).toMatchObject(['proven', asked(false)]);
  expect(check(await typed(RIGHT), { name: 'add' })).toMatchObject(asked(true));
  expect(check(await typed(RIGHT, { scope: 'ETHUSDT' }), { fields: { scope: 'BTCUSDT' } })).toMatchObject(asked(true));
  const own = await typed(RIGHT);
  expect(check(own, { session: 'eve' })).toMatchObject(asked(false));
  expect(check(own).kind, 'another session does not use it up').toBe('proven');
});

it('takes no forged proof: not what the file has, not what was overheard, not anything else', async () => {
  const { key } = JSON.parse(readFileSync(file, 'utf8')) as { key: string };
  const { nonce } = challenge();
  expect(check({ nonce, proof: key })).toMatchObject(asked(true));
  for (const factor of [null, 1, 'x', [], {}, { nonce: 1 }, { nonce: 'made up', proof: key }, { nonce, proof: key }])
    expect(check(factor), JSON.stringify(factor)).toMatchObject(asked(false));
  const overheard = await typed(RIGHT);
  expect(check({ ...overheard, nonce: challenge().nonce })).toMatchObject(asked(true));
});

it('takes no challenge that is older than five minutes', async () => {
  const factor = await typed(RIGHT);
  now += 5 * 60_000;
  expect(check(factor)).toMatchObject(asked(false));
});

it('looks at none for ten minutes after five wrong ones, the right one neither; a right one before clears them', async () => {
  for (let k = 1; k < WRONG_MOST; k++) expect(check(await typed('wrong'))).toMatchObject(asked(true));
  expect(check(await typed(RIGHT)).kind).toBe('proven');
  const good = await typed(RIGHT);
  for (let k = 1; k < WRONG_MOST; k++) expect(check(await typed('wrong'))).toMatchObject(asked(true));
  expect(check(await typed('wrong'))).toEqual({ kind: 'locked', isNew: true, forMs: WINDOW_MS });
  now += 1000;
  expect(check(good)).toEqual({ kind: 'locked', isNew: false, forMs: WINDOW_MS - 1000 });
  now += WINDOW_MS - 1000;
  expect(check(await typed(RIGHT)).kind).toBe('proven');
});

it('follows the file: another passphrase holds at once, and without one nothing is asked', async () => {
  const old = await typed(RIGHT);
  writeFileSync(file, passphraseFile('another one', 1_000));
  expect(check(old)).toMatchObject(asked(true));
  expect(check(await typed('another one')).kind).toBe('proven');
  rmSync(file);
  expect(check(undefined)).toEqual({ kind: 'unset' });
});
