/** Failure codes of tapes and of public archives: a part of the table failures.ts. */
import type { FailureRow } from './failure-row.ts';

export const TAPE_FAILURES = {
  'tape-missing': {
    kind: 'usage',
    meaning: 'The tape or recording is not there, or cannot be read.',
    action: 'Correct the path, or make a tape with `tickwright tape import`.',
  },
  'tape-not-a-tape': {
    kind: 'usage',
    meaning: 'The path is something else than a tape.',
    action: 'Name the folder that has `tape.json`.',
  },
  'tape-version': {
    kind: 'configuration',
    meaning: 'The tape was written in another format version.',
    action: 'Import the recording again.',
  },
  'tape-truncated': {
    kind: 'configuration',
    meaning: 'A file of the tape ends too early.',
    action: 'Import the recording again.',
  },
  'tape-corrupt': {
    kind: 'configuration',
    meaning: 'A checksum of the tape does not match.',
    action: 'Import the recording again, or copy the tape again.',
  },
  'recording-in-use': {
    kind: 'occupied',
    meaning: 'Another process records into the same folder.',
    action: 'Stop that process, or record into another folder.',
  },
  'tape-exists': {
    kind: 'usage',
    meaning: 'The folder for the new tape already has something in it.',
    action: 'Name a folder that is not there yet.',
  },
  'tape-off-grid': {
    kind: 'configuration',
    meaning: 'A price or size is no multiple of the step of its instrument.',
    action: 'Correct the file of instruments, or the recording.',
  },
  'tape-order': {
    kind: 'configuration',
    meaning: 'The rows are not in order of time.',
    action: 'Sort the recording by time.',
  },
  'tape-range': {
    kind: 'configuration',
    meaning: 'A value is larger or smaller than the tape can hold.',
    action: 'Correct the row that the error names.',
  },
  'tape-malformed': {
    kind: 'configuration',
    meaning: 'A line of the recording cannot be read.',
    action: 'Correct the line that the error names.',
  },
  'tape-unsupported': {
    kind: 'configuration',
    meaning: 'The recording is of a kind that the import does not know.',
    action: '`tickwright tape import --help` lists the kinds.',
  },
  'tape-empty': {
    kind: 'configuration',
    meaning: 'There are no rows to read or to write.',
    action: 'Check the recording.',
  },
  'tape-unwritable': {
    kind: 'failure',
    meaning: 'The system refused to write a file of the tape.',
    action: 'Check the free space and the permissions of the folder.',
  },
  'fetch-request': {
    kind: 'usage',
    meaning: 'The source, symbol, kind or range of `tape fetch` is not one that there is.',
    action: 'Correct the word that the error names. `tickwright tape fetch --list` shows all sources and kinds.',
  },
  'fetch-missing': {
    kind: 'failure',
    meaning: 'The archive has nothing of what `tape fetch` asked for.',
    action: 'Check the symbol as the vendor writes it, the market and the days.',
  },
  'fetch-failed': {
    kind: 'failure',
    meaning: 'A file of the archive could not be downloaded: no connection, or the server refused again and again.',
    action: 'Run the same command again: it goes on where it ended. Set `HTTPS_PROXY` behind a proxy.',
  },
  'fetch-checksum': {
    kind: 'failure',
    meaning: 'A downloaded file is not the one that the archive describes, also after a second download. Nothing was imported.',
    action: 'Run the same command later. If a mirror is used, use the vendor itself.',
  },
  'fetch-proxy': {
    kind: 'usage',
    meaning: '`HTTP_PROXY` or `HTTPS_PROXY` is not the address of a proxy.',
    action: 'Correct or unset the variable.',
  },
  'fetch-stopped': {
    kind: 'failure',
    meaning: '`tape fetch` was stopped before its end. The tape is as it was.',
    action: 'Run the same command again: it goes on where it ended.',
  },
  'fetch-occupied': {
    kind: 'occupied',
    meaning: 'Another process fetches for the same tape.',
    action: 'Wait for its end, or name another folder with `--out`.',
  },
} as const satisfies Readonly<Record<string, FailureRow>>;
