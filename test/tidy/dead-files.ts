/** Finds dead files, which nothing starts or imports, and files that are too long. */
import { posix } from 'node:path';
import { importsOf, startedBy, type Source } from './source.ts';

/** Paths of `sources` that cannot be reached from `roots` by imports or by `new URL('./file.ts', import.meta.url)`. */
export function deadFiles(sources: readonly Source[], roots: readonly string[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const open = roots.filter((root) => byPath.has(root));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const source = byPath.get(path);
    if (source === undefined || reached.has(path)) continue;
    reached.add(path);
    for (const name of [...importsOf(source), ...startedBy(source)]) {
      if (name === 'tickwright') open.push('src/index.ts');
      else if (name.startsWith('.')) open.push(posix.join(posix.dirname(path), name));
    }
  }
  return sources.map((source) => source.path).filter((path) => !reached.has(path));
}

/**
 * Files that are too long: over 300 lines without `size: reason` in the header (tests are exempt), over 500 lines, and strategies over 150.
 */
export function oversized(source: Source, header: string): string[] {
  if (source.path.startsWith('src/contract/endpoints/')) return [];
  const lines = source.text.split('\n').length - 1;
  if (source.path.startsWith('strategies/'))
    return lines > 150 ? [`${source.path} has ${lines} lines: a strategy may have at most 150`] : [];
  if (lines > 500) return [`${source.path} has ${lines} lines: the maximum is 500`];
  if (lines > 300 && !source.path.startsWith('test/') && !/\bsize: \S/.test(header))
    return [`${source.path} has ${lines} lines: over 300 needs "size: reason" in its header`];
  return [];
}
