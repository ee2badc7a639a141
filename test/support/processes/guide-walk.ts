/** Does what a page of the guide says, block by block, in a folder: docs/guide/README.md lists the kinds of blocks. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blocksOf, lineDifference, withoutProgress, type Block } from './shell-document.ts';
import { Terminal } from './terminal.ts';

export class GuideWalk {
  /** Where the next command is typed, and its environment; both follow `cd` and `export`. */
  #cwd: string;
  #env: NodeJS.ProcessEnv;
  readonly #adapt: (text: string) => string;
  readonly #after: string;
  #terminals: Terminal[] = [];
  #output = '';

  /** `adapt` changes what a test cannot take as it is, such as the port of the page. */
  constructor(cwd: string, env: NodeJS.ProcessEnv, adapt: (text: string) => string) {
    this.#cwd = cwd;
    this.#env = env;
    this.#adapt = adapt;
    this.#after = join(cwd, '.after');
  }

  /** @throws Error with the block that does not do what the page says */
  async page(markdown: string): Promise<number> {
    const blocks = blocksOf(markdown);
    let now = '';
    try {
      for (const block of blocks) {
        now = `"${block.heading}", ${block.language} ${block.note}`;
        await this.#block({ ...block, text: this.#adapt(block.text) });
      }
    } catch (error) {
      throw new Error(`${now}: ${(error as Error).message}`, { cause: error });
    } finally {
      await this.close();
    }
    return blocks.length;
  }

  /** Ends what still runs, the newest first. */
  async close(): Promise<void> {
    for (const terminal of this.#terminals.splice(0).reverse()) await terminal.interrupt();
  }

  async #block({ language, note, text }: Block): Promise<void> {
    if (language === 'sh') {
      if (note === 'stays') this.#terminals.push(new Terminal(text.trim(), { cwd: this.#cwd, env: this.#env }));
      else this.#run(text, note === 'fails');
    } else if (language === 'text' && note === 'screen') await this.#terminals.at(-1)!.shows(text);
    else if (language === 'text' && note === 'ctrl-c') await this.#interrupt(text);
    else if (language === 'text') this.#compare(text.trimEnd(), note === 'like');
    else if (language === 'diff') this.#change(note, text);
    else if (note !== '') this.#write(note, text);
    else throw new Error('expected a command, a shown output or the file that it is');
  }

  #run(shell: string, isToFail: boolean): void {
    const script = `${shell}\npwd > '${this.#after}'; env -0 >> '${this.#after}'`;
    const ran = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: this.#cwd,
      env: this.#env,
      encoding: 'utf8',
      timeout: 240_000,
    });
    this.#output = `${ran.stdout}${withoutProgress(ran.stderr)}`.trimEnd();
    if ((ran.status === 0) === isToFail) throw new Error(`ended with ${String(ran.status)}: ${shell}${this.#output}`);
    if (isToFail) return;
    const [cwd = '', ...rest] = readFileSync(this.#after, 'utf8').split('\n');
    this.#cwd = cwd;
    const lines = rest
      .join('\n')
      .split('\0')
      .filter((line) => line !== '');
    this.#env = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  }

  #compare(shown: string, isLike: boolean): void {
    const difference = lineDifference(shown, this.#output, isLike);
    if (difference !== '') throw new Error(`${difference}\n${this.#output}`);
  }

  async #interrupt(text: string): Promise<void> {
    const terminal = this.#terminals.pop()!;
    // npm and npx end with 130 whatever the program says.
    await terminal.interrupt();
    await terminal.shows(text);
  }

  #write(path: string, text: string): void {
    const file = join(this.#cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Lines with "-" become lines with "+"; the others stand around them and must be there once. */
  #change(path: string, text: string): void {
    const file = join(this.#cwd, path);
    const lines = text.trimEnd().split('\n');
    const without = (sign: string): string =>
      lines
        .filter((line) => line[0] !== sign)
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const parts = this.#adapt(readFileSync(file, 'utf8')).split(without('+'));
    if (parts.length !== 2) throw new Error(`${path} has these lines ${parts.length - 1} times:\n${without('+')}`);
    writeFileSync(file, parts.join(without('-')));
  }
}
