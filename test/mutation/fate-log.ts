/** The fates of random mutants on disk, so that a run of hours can be stopped and taken up again. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Site } from './sites.ts';

interface Place extends Site {
  readonly path: string;
  readonly source: string;
}

/** One line of the file: which change of which text, and whether the tests found it. */
interface Fate {
  readonly key: string;
  readonly isDead: boolean;
}

export class FateLog {
  readonly #path: string;
  readonly #fates = new Map<string, boolean>();

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
    // Without its last line, which is cut where a run was killed.
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    for (const { key, isDead } of lines.map((line) => JSON.parse(line) as Fate)) this.#fates.set(key, isDead);
  }

  /** Whether the tests found it; undefined if it was not judged for this text of the file. */
  fateOf(place: Place): boolean | undefined {
    return this.#fates.get(keyOf(place));
  }

  write(place: Place, isDead: boolean): void {
    appendFileSync(this.#path, `${JSON.stringify({ key: keyOf(place), isDead } satisfies Fate)}\n`);
  }
}

function keyOf({ path, source, start, end, text }: Place): string {
  return `${path}:${start}-${end}:${text}:${createHash('sha256').update(source).digest('hex').slice(0, 16)}`;
}
