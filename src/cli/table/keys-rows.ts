/** Commands about the keystore. */
import type { CommandRow, OptionRow, Row } from '../shell/command-row.ts';
import { JSON_OPTION } from './shared-options.ts';

const KEYSTORE: OptionRow = { flags: '--keystore <file>', description: 'the keystore', fallback: 'keystore.json' };
const PASSPHRASE: Row = [
  'TICKWRIGHT_KEYSTORE_PASSPHRASE_FILE',
  'a file of mode 0600 with the passphrase of the keystore, or "fd:3"; else the systemd credential tickwright-keystore, else it is asked for',
];
const OPTIONS = [{ title: 'Options:', options: [KEYSTORE] }];
const NAME = { name: '<name>', description: 'name of the entry: letters, digits, ".", "_" or "-"' };
const EXITS: CommandRow['exits'] = {
  done: '',
  usage: 'there is no such entry, or there is one',
  configuration: 'the passphrase is wrong, or the file is damaged',
};

export const KEYS_COMMANDS: readonly CommandRow[] = [
  {
    name: 'keys',
    summary: 'API keys in a file that a passphrase seals',
    description: 'Keep API keys in one file, sealed by a passphrase (scrypt, AES-256-GCM), instead of in variables or a plain file.',
    examples: [
      ['tickwright keys add main', 'asks for the passphrase and the three parts of the key; nothing is shown'],
      ['tickwright keys list', 'names and dates'],
    ],
    notes: ['In the configuration: venue.credentials: "keystore:keystore.json#main". The name may be left out if there is one entry.'],
  },
  {
    name: 'keys add',
    summary: 'add a key',
    description: 'Add API key, secret and passphrase under a name. The file is made if there is none.',
    args: [NAME],
    options: OPTIONS,
    examples: [
      ['tickwright keys add main'],
      ['tickwright keys add main < parts', 'the first three lines of the input, without a terminal'],
    ],
    variables: [PASSPHRASE],
    files: [['--keystore FILE', 'mode 0600']],
    exits: EXITS,
    run: async () => (await import('../keys/keys-commands.ts')).addKey,
  },
  {
    name: 'keys list',
    summary: 'names of the keys',
    description: 'List the names of the keys and when each was added. Needs no passphrase.',
    options: [{ title: 'Options:', options: [KEYSTORE, JSON_OPTION] }],
    examples: [['tickwright keys list']],
    exits: EXITS,
    run: async () => (await import('../keys/keys-commands.ts')).listKeys,
  },
  {
    name: 'keys remove',
    summary: 'remove a key',
    description: 'Remove a key from the file. Needs no passphrase. The key at the venue stays.',
    args: [NAME],
    options: OPTIONS,
    examples: [['tickwright keys remove old']],
    exits: EXITS,
    run: async () => (await import('../keys/keys-commands.ts')).removeKey,
  },
  {
    name: 'keys rotate',
    summary: 'replace a key, or the passphrase',
    description: 'With a name: put a new API key in its place. Without one: seal all keys by a new passphrase.',
    args: [{ ...NAME, name: '[name]' }],
    options: OPTIONS,
    examples: [['tickwright keys rotate main'], ['tickwright keys rotate', 'another passphrase']],
    notes: ['A bot that runs keeps the key that it has. Start it again: orders, positions and halts do not depend on the key.'],
    variables: [PASSPHRASE],
    exits: EXITS,
    run: async () => (await import('../keys/keys-commands.ts')).rotateKey,
  },
];
