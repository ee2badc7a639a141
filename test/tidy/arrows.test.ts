/** The folders of `src` import each other in one direction, and ARCHITECTURE.md draws them as they are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrowsOf, circleIn, drawnRooms, fileArrowsOf, roomsOf, type Arrows } from './arrows.ts';
import { ROOT, sourcesIn } from './source.ts';

const PAGE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
/** Heading of each drawing, and the folder that it shows. */
const DRAWINGS = [
  ['## The rooms\n', 'src'],
  ['## The rooms of the engine\n', 'src/engine'],
] as const;
const sources = sourcesIn('src');
const arrows = arrowsOf(sources);
const file = (path: string, name: string): { path: string; text: string } => ({ path, text: `import type { X } from '${name}';\n` });

/** What `from` imports, and what that imports, as far as it lies in `among`. */
function targetsOf(all: Arrows, from: string, among: ReadonlySet<string>, seen = new Set<string>()): ReadonlySet<string> {
  for (const to of all.get(from) ?? []) {
    if (!among.has(to) || seen.has(to)) continue;
    seen.add(to);
    targetsOf(all, to, among, seen);
  }
  return seen;
}

describe('the folders of src', () => {
  it('import in no circle, types included', () => {
    expect(circleIn(arrows)).toBeNull();
  });

  it('a circle of two and of three folders is found', () => {
    const two = [file('src/a/x.ts', '../b/y.ts'), file('src/b/z.ts', '../a/w.ts')];
    expect(circleIn(arrowsOf(two))).toEqual(['src/a', 'src/b', 'src/a']);
    const three = [file('src/a/x.ts', '../b/y.ts'), file('src/b/z.ts', './c/w.ts'), file('src/b/c/w.ts', '../../a/x.ts')];
    expect(circleIn(arrowsOf(three))).toEqual(['src/a', 'src/b', 'src/b/c', 'src/a']);
  });
});

/** Records that refer to each other: an order knows its leg or its instrument, and these know their orders. Nothing else may. */
const RECORDS: readonly (readonly string[])[] = [
  ['instrument-context.ts', 'order-list.ts', 'order.ts', 'quote.ts'].map((name) => `src/engine/state/records/${name}`),
  ['account.ts', 'bracket.ts', 'market-state.ts', 'order.ts', 'resting.ts'].map((name) => `src/sim/state/${name}`),
];

describe('the files of src', () => {
  it('import in no circle, types included, but for two groups of records', () => {
    expect(circleIn(fileArrowsOf(sources, RECORDS))).toBeNull();
  });

  it('each of those records is in a circle of its group', () => {
    const all = fileArrowsOf(sources);
    for (const group of RECORDS) for (const path of group) expect(targetsOf(all, path, new Set(group)), path).toContain(path);
  });

  it('a circle of two files in one folder is found, and not that of a group', () => {
    const two = [file('src/a/x.ts', './y.ts'), file('src/a/y.ts', './x.ts')];
    expect(circleIn(fileArrowsOf(two))).toEqual(['src/a/x.ts', 'src/a/y.ts', 'src/a/x.ts']);
    expect(circleIn(fileArrowsOf(two, [['src/a/x.ts', 'src/a/y.ts']]))).toBeNull();
  });
});

describe.each(DRAWINGS)('ARCHITECTURE.md, %j', (heading, folder) => {
  it('draws the rooms as their imports are', () => {
    expect(Object.fromEntries(drawnRooms(PAGE, heading))).toEqual(Object.fromEntries(roomsOf(arrows, folder)));
  });

  it('lists each room after the rooms it imports', () => {
    const before = new Set<string>();
    for (const [room, from] of drawnRooms(PAGE, heading)) {
      for (const one of from) expect(before, `${room} comes before ${one}`).toContain(one);
      before.add(room);
    }
  });
});
