/** Results on disk, a line of JSON each, so that a run that was stopped is taken up again where it was. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

interface Line<T> {
  readonly key: string;
  readonly value: T;
}

/** Values by key. The last line of a key counts. */
export class LineLog<T> {
  readonly #path: string;
  readonly #values = new Map<string, T>();

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
    // Without its last line, which is cut where a run was killed.
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    for (const { key, value } of lines.map((line) => JSON.parse(line) as Line<T>)) this.#values.set(key, value);
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: T): void {
    this.#values.set(key, value);
    appendFileSync(this.#path, `${JSON.stringify({ key, value } satisfies Line<T>)}\n`);
  }
}

/** A short name of the content of some texts. */
export function digestOf(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:${text}`);
  return hash.digest('hex').slice(0, 16);
}
