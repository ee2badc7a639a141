/** Rows of the table of failure codes (failures.ts) about what a person keeps safe: backups and keys, what assistants may do, and what is sent to others. */
export const KEPT_FAILURES = {
  'store-exists': {
    kind: 'usage',
    meaning: 'A backup is restored only where no store is, and there is one.',
    action: 'Move the store away if it is to be replaced, or name another folder or bot.',
  },
  'store-kept-nowhere': {
    kind: 'usage',
    meaning: 'There is nothing to back up or to restore to: the store is in memory, or is in Redis and no configuration names it.',
    action: 'Name the configuration of the bot with `--config`.',
  },
  'backup-exists': {
    kind: 'usage',
    meaning: 'The file of a backup exists already. Nothing was written.',
    action: 'Name another file, or move it away.',
  },
  'backup-failed': {
    kind: 'failure',
    meaning: 'No backup was made: the bot did not answer, the copy was not what the store had, or the file cannot be written.',
    action: 'Read the error, then run the command again.',
  },
  'backup-unusable': {
    kind: 'configuration',
    meaning: 'The file is no whole backup, is damaged, is of another bot, or was made by a newer version. Nothing was changed.',
    action: 'Use another backup, or the version that made this one.',
  },
  'keystore-unusable': {
    kind: 'configuration',
    meaning: 'The keystore cannot be read, is damaged, or was written by a newer version.',
    action: 'Put a copy back, or move it away and add the keys again.',
  },
  'keystore-passphrase': {
    kind: 'configuration',
    meaning: 'The passphrase of the keystore is wrong, too short, or missing where nobody can be asked.',
    action: 'Correct the file that `TICKWRIGHT_KEYSTORE_PASSPHRASE_FILE` names, or the systemd credential `tickwright-keystore`.',
  },
  'keystore-entry': {
    kind: 'usage',
    meaning: 'The keystore has no entry of this name, or has it already, or the name or a part of the key does not fit.',
    action: 'Name one that `tickwright keys list` shows. To replace a key: `tickwright keys rotate NAME`.',
  },
  'proposal-unfit': {
    kind: 'usage',
    meaning: 'A proposal of an assistant was used, has expired, is void, or its effect has changed; or nothing can be approved here.',
    action: 'Read the error. The assistant may propose it again, or type the command yourself.',
  },
  'fault-unseen': {
    kind: 'usage',
    meaning: 'A session does not show the fault that was named, or shows none.',
    action: 'Name what you saw, as the log has it: `--fault "opens-halted code=daily-loss"`.',
  },
  'trial-failed': {
    kind: 'failure',
    meaning: 'What an assistant tried of a strategy failed, took longer or more memory than it may, or another trial runs.',
    action: 'Read the error: it is what the command would print.',
  },
} as const;
