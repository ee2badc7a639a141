/** Probes tell which places were executed, whatever the statement or expression around them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PROBES_FILE, withProbes, type Place } from './probes.ts';
import { sitesOf } from './sites.ts';

/** Each `<1` is executed, no `<2` is. */
const CODE = `
import { existsSync } from 'node:fs';
const start = 0 as number;
class Counter<T extends number = number> {
  #seen: boolean = start <1;
  static limit = (x: number): boolean => x <1;
  never = (): boolean => start <2;
  count(least = start <1, most = start <1 ? 1 : 2): number {
    if (least && !(start <1)) return start <2 ? 1 : 2;
    else if (least) for (const each of [1, 2]) this.#seen = each <1;
    switch (start) {
      case 0: {
        if (start <1) break;
        return Number(start <2);
      }
      default:
        return Number(start <2);
    }
    return (start <1) ? Number(start <1) : Number(start <2);
  }
  unused(value = start <2): boolean { return value || start <2; }
}
export function f(): boolean {
  const g = (y: number): { z: boolean } => ({ z: y <1 }) as { z: boolean };
  return (g(1).z as boolean) || (start <1 && Counter.limit(1)) || new Counter().count() <1 || existsSync('/') || (start <2);
}
f();
`;

it('finds the places that were executed and no others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-probes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = { path: 'code.ts', text: CODE };
  const places = sitesOf(source).filter(({ kind, text }) => kind === '<' && text === '<=');
  const [hits, path] = [join(folder, 'hits.txt'), join(folder, 'code.ts')];
  writeFileSync(path, withProbes(source, new Map<number, Place>(places.entries())));
  writeFileSync(hits, '');
  process.env[PROBES_FILE] = hits;
  onTestFinished(() => void delete process.env[PROBES_FILE]);
  await import(path);
  const reached = new Set(readFileSync(hits, 'utf8').split('\n').filter(Boolean).map(Number));
  const expected = places.map(({ end }) => CODE[end] === '1');
  expect(places.map((_, number) => reached.has(number))).toEqual(expected);
  expect(expected.filter(Boolean).length).toBeGreaterThan(8);
  expect(expected.filter((isReached) => !isReached).length).toBeGreaterThan(5);
});
