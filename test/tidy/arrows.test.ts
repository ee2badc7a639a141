/** The folders of `src` import each other in one direction, and ARCHITECTURE.md draws the engine as it is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrowsOf, circleIn, drawnRooms, roomsOf } from './arrows.ts';
import { ROOT, sourcesIn } from './source.ts';

const HEADING = '## The rooms of the engine';
const arrows = arrowsOf(sourcesIn('src'));
const file = (path: string, name: string): { path: string; text: string } => ({ path, text: `import type { X } from '${name}';\n` });

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

describe('the engine', () => {
  it('is drawn in ARCHITECTURE.md as its imports are', () => {
    const drawn = drawnRooms(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'), HEADING);
    expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(roomsOf(arrows, 'src/engine')));
  });

  it('lists each room after the rooms it imports', () => {
    const before = new Set<string>();
    for (const [room, from] of drawnRooms(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'), HEADING)) {
      for (const one of from) expect(before, `${room} comes before ${one}`).toContain(one);
      before.add(room);
    }
  });
});
