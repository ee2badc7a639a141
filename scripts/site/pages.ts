/** The pages of the documentation, in the order and the groups of docs/README.md, which is their only list. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIST = 'docs/README.md';

export interface Page {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly title: string;
  /** What the page tells, as its list says it; "" of a page of the guide or of indicators. */
  readonly about: string;
}

export interface Group {
  readonly title: string;
  readonly pages: readonly Page[];
}

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Every file of the repository. */
export function repositoryFiles(): ReadonlySet<string> {
  return new Set(execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean));
}

/** @throws Error for a page of docs/ that no list names */
export function groupsOf(files: ReadonlySet<string>): readonly Group[] {
  const seen = new Set<string>();
  const take = (path: string, about: string): Page[] => {
    if (seen.has(path) || !path.endsWith('.md')) return [];
    seen.add(path);
    const text = read(path);
    const own = { path, text, about, title: /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path };
    // The pages of a folder follow its own list.
    const isList = posix.basename(path) === 'README.md' && path !== 'README.md';
    const inside = isList ? [...files].filter((file) => file.endsWith('.md') && posix.dirname(file) === posix.dirname(path)) : [];
    return [own, ...inside.flatMap((file) => take(file, ''))];
  };
  const groups = read(LIST)
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      pages: [...part.matchAll(/^\| \[[^\]]+\]\(([^)]+)\) \| (.+) \|$/gm)].flatMap(([, link = '', about = '']) =>
        take(posix.join('docs', link), about),
      ),
    }));
  groups.push({ title: 'Changes', pages: take('CHANGELOG.md', 'what changed, version by version') });
  const missing = [...files].filter((path) => path.startsWith('docs/') && path.endsWith('.md') && path !== LIST && !seen.has(path));
  if (missing.length > 0) throw new Error(`expected each page in ${LIST}, found none of ${missing.join(', ')}`);
  return groups;
}
