/** One line about long work on stderr: rewritten in place on a terminal, else a further line every ten seconds. */
import type { Io } from '../../run/setup/options.ts';
import { widthOf } from './terminal.ts';

/** Milliseconds between two lines where none can be rewritten, and before the first. */
const PIPED_MS = 10_000;

export class WorkLine {
  /** Milliseconds between two lines, and before the first. */
  readonly everyMs: number;
  readonly firstMs: number;
  readonly #io: Pick<Io, 'stderr' | 'isTty'>;
  #isShown = false;

  /** `everyMs` and `firstMs` are those of a terminal. */
  constructor(io: Pick<Io, 'stderr' | 'isTty'>, everyMs: number, firstMs: number) {
    this.#io = io;
    this.everyMs = io.isTty ? everyMs : PIPED_MS;
    this.firstMs = io.isTty ? firstMs : PIPED_MS;
  }

  show(text: string): void {
    const { stderr, isTty } = this.#io;
    if (!isTty) return void stderr.write(`${text}\n`);
    this.#isShown = true;
    stderr.write(`\r\u001b[2K${text.slice(0, Math.max(20, widthOf(stderr) - 1))}`);
  }

  /** Removes the line from the terminal. */
  end(): void {
    if (this.#isShown) this.#io.stderr.write('\r\u001b[2K');
    this.#isShown = false;
  }
}
