/**
 * The running mark: a file beside the store that says that a bot ought to run. A bot writes it at its start and removes it at a stop that was
 * asked for. So it is there after every other end, and after a restart of the machine. Lines follow the mark, for whoever watches the bot.
 */
import { closeSync, constants, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { beside } from './beside.ts';
import { replaceFile } from '../replace-file.ts';

export interface Running {
  readonly bot: string;
  /** Epoch of the client ids that it issues. */
  readonly epoch: number;
  readonly lines: readonly string[];
}

export class RunningMark {
  readonly path: string;

  /** Takes the state folder. The file lies beside it, so that deleting the folder keeps it. */
  constructor(folder: string) {
    this.path = beside(folder, '.watched.json');
  }

  /** The bot that ought to run; null for none. A file that cannot be read counts as none. */
  read(): Running | null {
    try {
      const [first = '', ...lines] = readFileSync(this.path, 'utf8').split('\n');
      const { bot, epoch } = JSON.parse(first) as Partial<Record<keyof Running, unknown>>;
      return typeof bot === 'string' && typeof epoch === 'number' ? { bot, epoch, lines } : null;
    } catch {
      return null;
    }
  }

  /** True if there is no such file. One that cannot be looked for may be there. */
  get isGone(): boolean {
    try {
      return statSync(this.path, { throwIfNoEntry: false }) === undefined;
    } catch {
      return false;
    }
  }

  /** Replaces the file as a whole. @throws Error of node:fs */
  write({ bot, epoch, lines }: Running): void {
    replaceFile(this.path, `${[JSON.stringify({ bot, epoch }), ...lines].join('\n')}\n`);
  }

  /** Adds a line to the file. It survives the death of the process, not a power cut. @throws Error of node:fs, if there is no file too */
  add(line: string): void {
    const file = openSync(this.path, constants.O_WRONLY | constants.O_APPEND);
    try {
      writeSync(file, `${line}\n`);
    } finally {
      closeSync(file);
    }
  }

  /** @throws Error of node:fs */
  remove(): void {
    rmSync(this.path, { force: true });
  }
}
