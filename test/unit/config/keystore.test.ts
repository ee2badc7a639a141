/** The keystore: what it seals, what it says of a wrong passphrase and of damage, and that no secret is anywhere else. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { entriesIn, Keystore, withoutEntry } from '../../../src/config/files/keystore.ts';
import { keystoreIn } from '../../../src/config/files/keystore-place.ts';
import { credentialsIn, givenPassphrase } from '../../../src/config/files/keystore-passphrase.ts';
import { loadConfig } from '../../../src/config/load.ts';

const PARTS = { key: 'canary-key-1f', secret: 'canary-secret-2e', passphrase: 'canary-pass-3d' };
const WORD = 'canary passphrase 4c';
/** The least that a keystore may ask for, so that the test is fast. */
const CHEAP = { N: 1 << 14, r: 8, p: 1 };
const AT = new Date(1_700_000_000_000);

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keystore-'));
  file = join(folder, 'keystore.json');
  write(Keystore.make(new Secret(WORD), file, CHEAP).with('main', PARTS, AT));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}

function failureOf(work: () => unknown): { failure: string; message: string } {
  try {
    work();
  } catch (error) {
    const { failure = 'none', message } = error as { failure?: string; message: string };
    return { failure, message: message + inspect(error, { depth: 9 }) };
  }
  return { failure: 'nothing', message: '' };
}

/** The text, and what base64 and hex have of it. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)];
}

describe('a keystore', () => {
  it('gives the parts back for its passphrase alone, however it is typed', () => {
    expect(Keystore.open(file, new Secret(WORD)).parts('main')).toEqual(PARTS);
    expect(failureOf(() => Keystore.open(file, new Secret(`${WORD} `)))).toMatchObject({ failure: 'keystore-passphrase' });
    const accented = Keystore.make(new Secret('pass\u00e9phrase-12'), file, CHEAP).with('main', PARTS, AT);
    write(accented);
    expect(Keystore.open(file, new Secret('passe\u0301phrase-12')).parts('')).toEqual(PARTS);
  });

  it('has no secret in its text, in errors, or in what is printed of it', () => {
    const store = Keystore.open(file, new Secret(WORD));
    const credentials = credentialsIn({ file, name: 'main' }, new Secret(WORD));
    const shown = [
      readFileSync(file, 'utf8'),
      inspect(store, { depth: 9, showHidden: true }),
      JSON.stringify(entriesIn(file)),
      JSON.stringify(credentials),
      inspect(credentials, { depth: 9 }),
      failureOf(() => Keystore.open(file, new Secret('canary-pass-3d-wrong'))).message,
      failureOf(() => store.parts('other')).message,
      failureOf(() => Keystore.make(new Secret('short'), file)).message,
    ].join('\n');
    for (const secret of [...Object.values(PARTS), WORD]) for (const form of forms(secret)) expect(shown).not.toContain(form);
  });

  it('adds, replaces and removes entries, and changes its passphrase', () => {
    write(Keystore.open(file, new Secret(WORD)).with('second', { ...PARTS, key: 'other' }, AT));
    expect(entriesIn(file).map(({ name }) => name)).toEqual(['main', 'second']);
    expect(failureOf(() => Keystore.open(file, new Secret(WORD)).parts(''))).toMatchObject({ failure: 'keystore-entry' });
    write(Keystore.open(file, new Secret(WORD)).with('second', { ...PARTS, key: 'third' }, AT));
    write(Keystore.open(file, new Secret(WORD)).sealedBy(new Secret('another passphrase')));
    expect(failureOf(() => Keystore.open(file, new Secret(WORD))).failure).toBe('keystore-passphrase');
    expect(Keystore.open(file, new Secret('another passphrase')).parts('second').key).toBe('third');
    write(withoutEntry(file, 'main'));
    expect(entriesIn(file).map(({ name }) => name)).toEqual(['second']);
    expect(failureOf(() => withoutEntry(file, 'main')).failure).toBe('keystore-entry');
    for (const name of ['', '../x', 'a b', '__proto__', 'x'.repeat(65)])
      expect([name, failureOf(() => Keystore.open(file, new Secret('another passphrase')).with(name, PARTS, AT)).failure]).toEqual([
        name,
        'keystore-entry',
      ]);
  });

  it('says that it is damaged wherever a character is another, and not that the passphrase is wrong', () => {
    const text = readFileSync(file, 'utf8');
    for (let at = 0; at < text.length; at += 7) {
      const other = text[at] === 'A' ? 'B' : 'A';
      write(text.slice(0, at) + other + text.slice(at + 1));
      // What JSON does not keep, such as white space, may be another.
      const { failure } = failureOf(() => Keystore.open(file, new Secret(WORD)).parts('main'));
      expect([at, failure]).toEqual([at, 'keystore-unusable']);
    }
    write(text.slice(0, -20));
    expect(failureOf(() => entriesIn(file)).failure).toBe('keystore-unusable');
  });

  it('of an entry under another name does not open, though the sum is right', () => {
    const store = Keystore.open(file, new Secret(WORD));
    const { sum: _sum, ...two } = JSON.parse(store.with('second', { ...PARTS, key: 'other' }, AT)) as Record<string, unknown>;
    const keys = two['keys'] as Record<string, unknown>;
    [keys['main'], keys['second']] = [keys['second'], keys['main']];
    const sum = createHash('sha256').update(JSON.stringify(two)).digest('hex');
    write(JSON.stringify({ ...two, sum }));
    expect(failureOf(() => Keystore.open(file, new Secret(WORD)).parts('main')).failure).toBe('keystore-unusable');
  });

  it('of a newer version, and one that others can read, is refused', () => {
    const text = readFileSync(file, 'utf8');
    write(text.replace('"version": 1', '"version": 2'));
    expect(failureOf(() => entriesIn(file)).message).toContain('newer version');
    write(text);
    chmodSync(file, 0o640);
    expect(failureOf(() => entriesIn(file)).failure).toBe('credentials-exposed');
  });
});

describe('the passphrase', () => {
  it('comes from a private file, a descriptor or a credential of systemd', () => {
    const given = join(folder, 'word');
    writeFileSync(given, `${WORD}\n`, { mode: 0o600 });
    expect(givenPassphrase({ TICKWRIGHT_KEYSTORE_PASSPHRASE_FILE: given })?.reveal()).toBe(WORD);
    chmodSync(given, 0o644);
    expect(failureOf(() => givenPassphrase({ TICKWRIGHT_KEYSTORE_PASSPHRASE_FILE: given })).failure).toBe('credentials-exposed');
    expect(failureOf(() => givenPassphrase({ TICKWRIGHT_KEYSTORE_PASSPHRASE_FILE: `${given}-none` })).failure).toBe('keystore-passphrase');
    writeFileSync(join(folder, 'tickwright-keystore'), WORD);
    expect(givenPassphrase({ CREDENTIALS_DIRECTORY: folder })?.reveal()).toBe(WORD);
    expect(givenPassphrase({})).toBeNull();
  });
});

describe('a configuration', () => {
  const load = (credentials: string, env: Record<string, string | undefined> = {}): ReturnType<typeof loadConfig>['config'] => {
    const config = join(folder, 'bot.yaml');
    writeFileSync(config, `venue: { credentials: "${credentials}" }\n`);
    return loadConfig({ file: config, env, set: [] }).config;
  };

  it('names a file beside it, which is not opened before it is needed', () => {
    expect(load('keystore:keystore.json#main')).toMatchObject({ credentials: null, keystore: { file, name: 'main' } });
    expect(load('keystore:none.json')).toMatchObject({ keystore: { file: join(folder, 'none.json'), name: '' } });
    expect(load('')).toMatchObject({ credentials: null, keystore: null });
  });

  it('whose environment has the three secrets uses them', () => {
    const env = { TICKWRIGHT_KEY: 'k', TICKWRIGHT_SECRET: 's', TICKWRIGHT_PASSPHRASE: 'p' };
    const config = load('keystore:keystore.json#main', env);
    expect([config.credentials?.key.reveal(), config.keystore]).toEqual(['k', null]);
    expect(env).toEqual({});
  });

  it.each([
    ['keystore:a/b.json#main', { file: 'a/b.json', name: 'main' }],
    ['keystore:a#b/c.json', { file: 'a#b/c.json', name: '' }],
    ['keystore:', null],
    ['fd:3', null],
    ['keys.yaml', null],
  ])('reads %s', (text, place) => expect(keystoreIn(text)).toEqual(place));
});
