/**
 * Keys of venues in one file that is sealed by a passphrase: scrypt makes the key of AES-256-GCM, and each entry is sealed with its name, so that
 * none can stand under another. Nothing is written here.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { Failure } from '../../base/failure/failure.ts';
import type { Secret } from '../../base/secret.ts';
import { reasonOf } from './data-files.ts';
import { readPrivate } from './private-file.ts';

/** The three parts of an entry. */
export interface KeyParts {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

interface Sealed {
  /** 96 random bits, base64. */
  readonly iv: string;
  /** Ciphertext and tag, base64. */
  readonly sealed: string;
}

interface KeystoreFile {
  readonly tickwright: 'keystore';
  readonly version: number;
  readonly kdf: { readonly name: 'scrypt'; readonly N: number; readonly r: number; readonly p: number; readonly salt: string };
  /** Shows whether a passphrase is the right one. */
  readonly check: Sealed;
  readonly keys: Readonly<Record<string, Sealed & { readonly addedAt: string }>>;
  /** SHA-256 of all the rest: tells a damaged file from a wrong passphrase. It keeps nobody from changing the file; the seals do. */
  readonly sum: string;
}

const VERSION = 1;
/** 128 MB and about half a second: RFC 7914, and what OWASP asks for. */
const COST = { N: 1 << 17, r: 8, p: 1 } as const;
/** A file cannot ask for more memory or time than this. */
const COST_MOST = { N: 1 << 20, r: 16, p: 4 } as const;
const COST_LEAST = 1 << 14;
/** Fewest characters of a passphrase. */
const PASSPHRASE_LEAST = 12;
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
const CHECK_NAME = '';

/** A keystore that was opened with its passphrase. */
export class Keystore {
  readonly #file: KeystoreFile;
  readonly #key: Buffer;
  readonly #place: string;

  private constructor(file: KeystoreFile, key: Buffer, place: string) {
    this.#file = file;
    this.#key = key;
    this.#place = place;
  }

  /** Without any key. @throws Failure keystore-passphrase if it is too short */
  static make(passphrase: Secret, place: string, cost: typeof COST | { N: number; r: number; p: number } = COST): Keystore {
    if (passphrase.reveal().length < PASSPHRASE_LEAST) {
      const what = `expected a passphrase of at least ${PASSPHRASE_LEAST} characters, found ${passphrase.reveal().length}`;
      throw new Failure('keystore-passphrase', { what, where: place });
    }
    const kdf = { name: 'scrypt', ...cost, salt: randomBytes(32).toString('base64') } as const;
    const key = derived(passphrase, kdf);
    const file = summed({ tickwright: 'keystore', version: VERSION, kdf, check: seal(key, CHECK_NAME, ''), keys: {} });
    return new Keystore(file, key, place);
  }

  /** @throws Failure keystore-passphrase if it is the wrong one, keystore-unusable, credentials-exposed */
  static open(place: string, passphrase: Secret): Keystore {
    const file = readKeystore(place);
    const key = derived(passphrase, file.kdf);
    if (open(key, CHECK_NAME, file.check) === null)
      throw new Failure('keystore-passphrase', { what: 'the passphrase is not that of this keystore', where: place });
    return new Keystore(file, key, place);
  }

  /** @throws Failure keystore-entry if there is none of this name, keystore-unusable */
  parts(name: string): KeyParts {
    const one = entryOf(this.#file, name, this.#place);
    const text = open(this.#key, one, this.#file.keys[one]!);
    if (text === null) throw damaged(this.#place, `the seal of "${one}" is broken`);
    return JSON.parse(text) as KeyParts;
  }

  /** The text of the file with this entry, new or in place of the one of its name. @throws Failure keystore-entry */
  with(name: string, parts: KeyParts, addedAt: Date): string {
    if (!NAME.test(name)) {
      const what = `expected a name of letters, digits, ".", "_" or "-", at most 64, found ${JSON.stringify(name)}`;
      throw new Failure('keystore-entry', { what, where: this.#place });
    }
    const one = { addedAt: addedAt.toISOString(), ...seal(this.#key, name, JSON.stringify(parts)) };
    return textOf(summed({ ...this.#file, keys: { ...this.#file.keys, [name]: one } }));
  }

  /** Overwrites the key in memory: nothing can be opened any more. */
  forget(): void {
    this.#key.fill(0);
  }

  /** The text of the file with all entries under another passphrase. */
  sealedBy(passphrase: Secret): string {
    const { N, r, p } = this.#file.kdf;
    const other = Keystore.make(passphrase, this.#place, { N, r, p });
    const keys = Object.entries(this.#file.keys).map(([name, { addedAt }]) => {
      return [name, { addedAt, ...seal(other.#key, name, JSON.stringify(this.parts(name))) }] as const;
    });
    return textOf(summed({ ...other.#file, keys: Object.fromEntries(keys) }));
  }
}

/** Names of the entries, and when each was added. Needs no passphrase. @throws Failure keystore-unusable, credentials-exposed */
export function entriesIn(place: string): readonly { readonly name: string; readonly addedAt: string }[] {
  return Object.entries(readKeystore(place).keys).map(([name, { addedAt }]) => ({ name, addedAt }));
}

/** The text of the file without the entry. Needs no passphrase. @throws Failure keystore-entry, keystore-unusable */
export function withoutEntry(place: string, name: string): string {
  const file = readKeystore(place);
  const { [entryOf(file, name, place)]: _removed, ...keys } = file.keys;
  return textOf(summed({ ...file, keys }));
}

function entryOf({ keys }: KeystoreFile, name: string, place: string): string {
  const names = Object.keys(keys);
  if (name !== '' && Object.hasOwn(keys, name)) return name;
  if (name === '' && names.length === 1) return names[0]!;
  const hint = names.length === 0 ? 'add one: tickwright keys add NAME' : `there are ${names.join(', ')}: keystore:FILE#NAME`;
  throw new Failure('keystore-entry', {
    what: name === '' ? `expected one entry, found ${names.length}` : `there is no entry "${name}"`,
    where: place,
    hint,
  });
}

function readKeystore(place: string): KeystoreFile {
  let text: string;
  try {
    text = readPrivate(place, 'keys');
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('keystore-unusable', { what: `the keystore cannot be read: ${reasonOf(error)}`, where: place }, { cause: error });
  }
  let file: KeystoreFile;
  try {
    file = JSON.parse(text) as KeystoreFile;
  } catch {
    throw damaged(place, 'it is no JSON');
  }
  if (typeof file !== 'object' || file === null || file.tickwright !== 'keystore') throw damaged(place, 'it is no keystore of tickwright');
  if (typeof file.version === 'number' && file.version > VERSION) {
    const what = `the keystore was written by a newer version of Tickwright: its format is ${file.version}, and this version reads up to ${VERSION}`;
    throw new Failure('keystore-unusable', { what, where: place, hint: 'nothing was changed: use the newer version' });
  }
  const { sum, ...rest } = file;
  if (sum !== sumOf(rest)) throw damaged(place, 'its sum is another than the one written in it');
  const { N, r, p } = file.kdf;
  const isSane =
    Number.isInteger(Math.log2(N)) && N >= COST_LEAST && N <= COST_MOST.N && r >= 1 && r <= COST_MOST.r && p >= 1 && p <= COST_MOST.p;
  if (!isSane) throw damaged(place, 'the cost of its passphrase is out of bounds');
  return file;
}

function damaged(place: string, why: string): Failure {
  return new Failure('keystore-unusable', {
    what: `the keystore is damaged (${why})`,
    where: place,
    hint: 'put a copy back, or move it away and add the keys again; the venue can make new ones',
  });
}

function derived(passphrase: Secret, { N, r, p, salt }: KeystoreFile['kdf']): Buffer {
  return scryptSync(passphrase.reveal().normalize('NFKC'), Buffer.from(salt, 'base64'), 32, { N, r, p, maxmem: 256 * N * r * p });
}

/** The name is sealed with the text. */
function seal(key: Buffer, name: string, text: string): Sealed {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(about(name));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { iv: iv.toString('base64'), sealed: sealed.toString('base64') };
}

/** null if the key, the name or the text is another. */
function open(key: Buffer, name: string, { iv, sealed }: Sealed): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64'), { authTagLength: 16 }).setAAD(about(name));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function about(name: string): Buffer {
  return Buffer.from(`tickwright keystore ${VERSION}\n${name}`);
}

function sumOf(rest: Omit<KeystoreFile, 'sum'>): string {
  return createHash('sha256').update(JSON.stringify(rest)).digest('hex');
}

/** The sum covers the fields in the order in which they are written. */
function summed({ tickwright, version, kdf, check, keys }: Omit<KeystoreFile, 'sum'>): KeystoreFile {
  const rest = { tickwright, version, kdf, check, keys };
  return { ...rest, sum: sumOf(rest) };
}

function textOf(file: KeystoreFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}
