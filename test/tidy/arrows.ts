/** Imports between the folders and the files of `src`, types included: circles among them, and the drawing of the engine in ARCHITECTURE.md. */
import { posix } from 'node:path';
import { importsOf, type Source } from './source.ts';

/** Folder → folders that its files import, or file → files. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

export function arrowsOf(sources: readonly Source[]): Arrows {
  const arrows = new Map<string, Set<string>>();
  for (const source of sources) {
    const from = posix.dirname(source.path);
    const targets = arrows.get(from) ?? new Set();
    arrows.set(from, targets);
    for (const name of importsOf(source)) {
      const to = posix.dirname(posix.join(from, name));
      if (name.startsWith('.') && to !== from) targets.add(to);
    }
  }
  return arrows;
}

/** The files that each file imports, but for those of its own group in `groups`. */
export function fileArrowsOf(sources: readonly Source[], groups: readonly (readonly string[])[] = []): Arrows {
  const isTogether = (from: string, to: string): boolean => groups.some((group) => group.includes(from) && group.includes(to));
  const targetsOf = (source: Source): string[] =>
    importsOf(source)
      .filter((name) => name.startsWith('.'))
      .map((name) => posix.join(posix.dirname(source.path), name))
      .filter((to) => !isTogether(source.path, to));
  return new Map(sources.map((source) => [source.path, new Set(targetsOf(source))]));
}

/** Returns one circle of folders or files, the first repeated at the end, or null. */
export function circleIn(arrows: Arrows): readonly string[] | null {
  const done = new Set<string>();
  const walk = (folder: string, path: readonly string[]): readonly string[] | null => {
    const at = path.indexOf(folder);
    if (at >= 0) return [...path.slice(at), folder];
    if (done.has(folder)) return null;
    for (const next of arrows.get(folder) ?? []) {
      const circle = walk(next, [...path, folder]);
      if (circle !== null) return circle;
    }
    done.add(folder);
    return null;
  };
  for (const folder of arrows.keys()) {
    const circle = walk(folder, []);
    if (circle !== null) return circle;
  }
  return null;
}

/** The rooms of a folder, each with the rooms of that folder that it imports; `room/inner` counts as `room`. */
export function roomsOf(arrows: Arrows, top: string): ReadonlyMap<string, readonly string[]> {
  const roomOf = (folder: string): string => (folder.startsWith(`${top}/`) ? folder.slice(top.length + 1).split('/')[0]! : '');
  const rooms = new Map<string, Set<string>>();
  for (const [from, targets] of arrows) {
    const room = roomOf(from);
    if (room === '') continue;
    const seen = rooms.get(room) ?? new Set();
    rooms.set(room, seen);
    for (const to of targets) if (roomOf(to) !== '' && roomOf(to) !== room) seen.add(roomOf(to));
  }
  return new Map([...rooms].map(([room, seen]) => [room, [...seen].toSorted()]));
}

/** Parses a page's drawing of the rooms: lines such as "risk/       what it holds  ← state". */
export function drawnRooms(page: string, heading: string): ReadonlyMap<string, readonly string[]> {
  const block = page.split(heading)[1]?.split('```')[1] ?? '';
  const lines = [...block.matchAll(/^([a-z]+)\/ .*?← (.*)$/gm)];
  return new Map(lines.map(([, room = '', from = '']) => [room, from.trim() === 'nothing' ? [] : from.trim().split(/,\s*/).toSorted()]));
}
