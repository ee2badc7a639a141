/** A program in a terminal of 80 columns, as a person sees it: `script` gives it a real one. Ctrl-C is a key, not a signal. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { likeness } from './shell-document.ts';

/** Time that a person would wait for a line. */
const PATIENCE_MS = 60_000;

export class Terminal {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<unknown>;
  #told = '';

  constructor(shell: string, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    const { cwd, env } = options;
    this.#child = spawn('script', ['-qfec', `stty cols 80 rows 30; ${shell}`, '/dev/null'], { cwd, env: { ...env, TERM: 'xterm' } });
    this.#closed = once(this.#child, 'close');
    // A program may end before a key reaches it.
    this.#child.stdin.on('error', () => undefined);
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream.on('data', (bytes: Buffer) => (this.#told += bytes.toString()));
  }

  /** Everything it has shown; each state of a line that was written over is a line of its own. */
  get shown(): string {
    return stripVTControlCharacters(this.#told.replaceAll(/\r+\n?/g, '\n'));
  }

  /** Waits until it has shown the lines of `text`, each as a part of a line, in this order; figures may differ. @throws Error */
  async shows(text: string): Promise<void> {
    const wanted = text.trimEnd().split('\n').map(likeness);
    const until = Date.now() + PATIENCE_MS;
    for (let isOver = false; !this.#hasShown(wanted); await sleep(50)) {
      if (isOver || Date.now() > until) throw new Error(`not shown: ${text}\n${this.shown}`);
      isOver = this.#child.exitCode !== null;
    }
  }

  #hasShown(wanted: readonly string[]): boolean {
    const found = this.shown.split('\n').map(likeness);
    let from = 0;
    return wanted.every((line) => {
      const at = found.findIndex((one, k) => k >= from && one.includes(line));
      from = at + 1;
      return at >= 0;
    });
  }

  /** Types a line. */
  type(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Presses Ctrl-C and waits for the end. */
  async interrupt(): Promise<void> {
    this.#child.stdin.write('\u0003');
    await this.#closed;
  }
}
