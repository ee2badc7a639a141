/** Runs single test files in a copy of the project, each within a time limit. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfProject } from '../support/processes/project-copy.ts';
import { trackedFiles } from '../tidy/source.ts';

export interface Question {
  /** The test file, from the root of the project. */
  readonly file: string;
  /** Files that were written since the last question. */
  readonly changed: readonly string[];
  /** Where the probes write; undefined for a run without them. */
  readonly probes: string | undefined;
}

export interface Answer {
  readonly failed: boolean;
  readonly errors: readonly string[];
}

export interface FileRun extends Answer {
  readonly ms: number;
  /** It was ended because it took too long. */
  readonly isOver: boolean;
}

/** A test always has so long, but where it says otherwise. */
const TEST_MS = 120_000;

export class TestRunner {
  readonly #copy = copyOfProject(trackedFiles());
  #server: ChildProcess | null = null;
  #changed: string[] = [];

  write(path: string, text: string): void {
    writeFileSync(join(this.#copy, path), text);
    this.#changed.push(path);
  }

  /** Runs a test file. One that takes longer than `limitMs` is killed with all of its processes, and counts as failed. */
  async run(file: string, limitMs: number): Promise<FileRun> {
    const { failed, errors, ms, isOver } = await this.#ask(file, limitMs, undefined);
    return { failed, errors, ms, isOver };
  }

  /** Runs a test file and also returns the numbers of the probes that it came by. */
  async runProbed(file: string, limitMs: number): Promise<FileRun & { readonly probes: readonly number[] }> {
    const probes = join(this.#copy, 'mutant-probes.txt');
    writeFileSync(probes, '');
    const run = await this.#ask(file, limitMs, probes);
    const numbers = readFileSync(probes, 'utf8').split('\n').filter(Boolean).map(Number);
    return { ...run, probes: [...new Set(numbers)] };
  }

  close(): void {
    this.#kill();
    rmSync(this.#copy, { recursive: true, force: true });
  }

  async #ask(file: string, limitMs: number, probes: string | undefined): Promise<FileRun> {
    const server = (this.#server ??= await this.#start());
    const began = performance.now();
    const answer = new Promise<Answer | null>((settle) => {
      const timer = setTimeout(() => settle(null), limitMs);
      const gone = (code: number | null): void => settle({ failed: true, errors: [`the test runner ended with ${code}`] });
      server.once('exit', gone);
      server.once('message', (message) => {
        clearTimeout(timer);
        server.off('exit', gone);
        settle(message as Answer);
      });
    });
    server.send({ file, changed: this.#changed.splice(0), probes } satisfies Question);
    const given = await answer;
    if (given === null || server.exitCode !== null) this.#kill();
    return { ...(given ?? { failed: true, errors: [] }), ms: performance.now() - began, isOver: given === null };
  }

  async #start(): Promise<ChildProcess> {
    const server = fork(join(import.meta.dirname, 'served.ts'), [this.#copy, String(TEST_MS)], {
      cwd: this.#copy,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, CI: '' },
    });
    await once(server, 'message');
    return server;
  }

  /** Ends Vitest with the processes of its tests, which may be busy without end. */
  #kill(): void {
    const pid = this.#server?.pid;
    this.#server = null;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}
