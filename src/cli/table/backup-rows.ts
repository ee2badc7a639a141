/** Commands that copy the store of a bot, and put it back. */
import type { CommandRow } from '../shell/command-row.ts';
import { ANY_KEY, configuration, JSON_OPTION, WHICH_BOT } from './shared-options.ts';

export const BACKUP_COMMANDS: readonly CommandRow[] = [
  {
    name: 'backup',
    summary: 'copy the store of a bot into one file, also while it runs',
    description:
      'Copy journal, snapshot, the kept texts of strategies and the halts of a bot into one file, read it back, and replay it. The bot may run.',
    args: [{ name: '[to]', description: 'a file that does not exist yet, or a folder', fallback: '.' }],
    options: [WHICH_BOT, { title: 'Options:', options: [JSON_OPTION] }],
    examples: [
      ['tickwright backup', 'of the bot that was started in this folder'],
      [
        'tickwright backup /mnt/backups/ --config live.yaml',
        'with the names and sums of its files, for a stopped bot with its store in Redis too',
      ],
    ],
    notes: [
      'The file has no credentials, no token and no passphrase. With --config it names each file that the bot needs, with its SHA-256: configuration, instruments, limits, tapes, strategies and what they import; copy them yourself.',
      'Recordings of sessions, the history of alerts and the ledger of a paper exchange are not in it.',
    ],
    variables: [ANY_KEY],
    exits: { done: '', failed: 'no backup was made', usage: '', notRunning: '', configuration: 'the store is damaged' },
    run: async () => (await import('../backup/backup-commands.ts')).runBackup,
  },
  {
    name: 'restore',
    summary: 'put a backup back, here or on another machine',
    description: 'Make the store of a bot from a backup. The bot then has new client ids, and opens nothing until a person has looked.',
    args: [{ name: '<file>', description: 'made by `tickwright backup`' }],
    options: [{ title: 'Options:', options: [...configuration('the configuration file of the bot', { isNeeded: true }), JSON_OPTION] }],
    examples: [['tickwright restore paper-2026-11-29T10-43-29Z.backup.gz --config live.yaml']],
    notes: [
      'It replaces no store. Files of halts and loss limits beside the folder stay, and count.',
      'Stop the old bot first. One that lives on at another machine is not kept from trading, unless both have their store in the same Redis; docs/upgrade.md says what happens.',
    ],
    variables: [ANY_KEY],
    files: [['store.folder', 'where an embedded store is made']],
    exits: { done: '', failed: '', usage: 'there is a store', occupied: 'a bot runs there', configuration: 'the backup is not whole' },
    isPrivate: true,
    run: async () => (await import('../backup/backup-commands.ts')).runRestore,
  },
];
