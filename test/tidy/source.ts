/** The source tree for the tidy tests: files, their imports, and their syntax without types. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, type AnyNode, type Comment, type Program } from 'acorn';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Source {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** All .ts and .js files under `folders`, named from the root. A missing folder has none. */
export function sourcesIn(...folders: string[]): Source[] {
  return folders.flatMap((folder) =>
    filesUnder(join(ROOT, folder)).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
  );
}

/** Files tracked by git, or every file outside a clone. */
export function trackedFiles(): string[] {
  if (!existsSync(join(ROOT, '.git'))) return filesUnder(ROOT, /./).filter((path) => !path.includes('node_modules/'));
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

function filesUnder(folder: string, name = /\.(ts|js)$/): string[] {
  if (!existsSync(folder)) return [];
  if (statSync(folder).isFile()) return [relative(ROOT, folder)];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && name.test(entry.name));
  return files.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/')).toSorted();
}

/** Names in import and export statements and in import() calls, type imports too. */
export function importsOf(source: Source): string[] {
  const code = withoutComments(source);
  const statements = code.matchAll(/^\s*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])([^'"\n]+)\1/gm);
  const calls = code.matchAll(/\bimport\(\s*(['"])([^'"\n]+)\1\s*\)/g);
  return [...statements, ...calls].flatMap((match) => match[2] ?? []);
}

/** Files started instead of imported: `new URL('./x.ts', import.meta.url)`. */
export function startedBy(source: Source): string[] {
  const urls = withoutComments(source).matchAll(/new URL\(\s*(['"])(\.{1,2}\/[^'"\n]+\.[tj]s)\1\s*,\s*import\.meta\.url/g);
  return [...urls].flatMap((match) => match[2] ?? []);
}

export interface Syntax {
  readonly program: Program;
  readonly comments: readonly Comment[];
}

/** Trees that were made before, because several checks ask for the same file. */
const trees = new WeakMap<Source, Syntax>();

/** The syntax tree without types; positions and lines are those of the file. */
export function syntaxOf(source: Source): Syntax {
  const known = trees.get(source) ?? parsed(source);
  trees.set(source, known);
  return known;
}

function parsed(source: Source): Syntax {
  const comments: Comment[] = [];
  const code = source.path.endsWith('.ts') ? stripTypeScriptTypes(source.text) : source.text;
  const program = parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    allowHashBang: true,
    onComment: comments,
  });
  return { program, comments };
}

/** The text with every comment blanked out; line numbers stay. */
export function withoutComments(source: Source): string {
  const { text } = source;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of syntaxOf(source).comments) {
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\n]/g, ' '));
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** The comment at the top of the file, or "". */
export function headerOf(source: Source): string {
  return /^(?:#!.*\n)?\s*(?:\/\*[\s\S]*?\*\/|(?:\/\/.*\n)+)/.exec(source.text)?.[0] ?? '';
}

/**
 * Calls `enter` for `from` and every node under it, with its parents, nearest last. If `enter` returns false, the node's children are
 * skipped.
 */
export function walk(from: AnyNode, enter: (node: AnyNode, parents: readonly AnyNode[]) => boolean | void): void {
  const parents: AnyNode[] = [];
  const visit = (node: AnyNode): void => {
    if (enter(node, parents) === false) return;
    parents.push(node);
    for (const child of Object.values(node)) {
      for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) visit(each);
    }
    parents.pop();
  };
  visit(from);
}

export function lineOf(node: AnyNode): number {
  return node.loc?.start.line ?? 0;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
