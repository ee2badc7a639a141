/**
 * The running mark: a file beside the store that says that a bot ought to run. A bot writes it at its start and removes it at a stop that was
 * asked for. So it is there after every other end, and after a restart of the machine.
 */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { beside } from './beside.ts';
import { replaceFile } from '../replace-file.ts';

export interface Running {
  readonly bot: string;
  /** Epoch of the client ids that it issues. */
  readonly epoch: number;
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
      const { bot, epoch } = JSON.parse(readFileSync(this.path, 'utf8')) as Partial<Record<keyof Running, unknown>>;
      return typeof bot === 'string' && typeof epoch === 'number' ? { bot, epoch } : null;
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

  /** @throws Error of node:fs */
  write(running: Running): void {
    replaceFile(this.path, `${JSON.stringify(running)}\n`);
  }

  /** @throws Error of node:fs */
  remove(): void {
    rmSync(this.path, { force: true });
  }
}
