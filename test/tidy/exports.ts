/** Finds exports that no file imports. */
import { posix } from 'node:path';
import { lineOf, syntaxOf, walk, withoutComments, type Source } from './source.ts';

/** Import and export statements with their names. `* as name` and import() count as importing every name that occurs in the importer. */
const STATEMENT = /^\s*(?:import|export)\b([^'"`;]*?)\bfrom\s*(['"])([^'"\n]+)\2/gm;
const CALL = /\bimport\(\s*(['"])([^'"\n]+)\1\s*\)/g;

/** Values exported by `offered` and imported by none of `all`, as "path name". Types are left out, because they belong to other exports. */
export function unusedExports(offered: readonly Source[], all: readonly Source[]): string[] {
  const taken = new Map<string, Set<string>>();
  const take = (path: string, names: Iterable<string>): void => {
    const known = taken.get(path) ?? new Set();
    for (const name of names) known.add(name);
    taken.set(path, known);
  };
  for (const source of all) {
    const code = withoutComments(source);
    // What the public door passes on as a whole is public.
    if (source.path === 'src/index.ts') {
      for (const [, from = ''] of code.matchAll(/^export \* from '([^']+)'/gm)) {
        const passed = all.find(({ path }) => path === resolved(source, from));
        if (passed !== undefined) take(passed.path, valuesOf(passed));
      }
    }
    const words = (): string[] => code.match(/\w+/g) ?? [];
    for (const [, clause = '', , from = ''] of code.matchAll(STATEMENT))
      take(resolved(source, from), clause.includes('*') ? words() : namesIn(clause));
    for (const [, , from = ''] of code.matchAll(CALL)) take(resolved(source, from), words());
  }
  return offered.flatMap((source) => {
    const names = valuesOf(source).filter((name) => !taken.get(source.path)?.has(name));
    return names.map((name) => `${source.path} ${name}`);
  });
}

/** "{ a, type B as C }" → a, B. */
function namesIn(clause: string): string[] {
  const [, list = ''] = /\{([^}]*)\}/.exec(clause) ?? [];
  return list.split(',').map(
    (one) =>
      one
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)[0] ?? '',
  );
}

function resolved(source: Source, from: string): string {
  return from === 'tickwright' ? 'src/index.ts' : posix.join(posix.dirname(source.path), from);
}

/** Names of functions, classes and constants that a file itself exports. */
function valuesOf(source: Source): string[] {
  return syntaxOf(source).program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration === null || node.declaration === undefined) return [];
    const { declaration } = node;
    if (declaration.type !== 'VariableDeclaration') return [declaration.id.name];
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  });
}

/**
 * Members of classes that no text of the program names, as "path:line name". Left out: classes that implement or extend something, because
 * others call them by that; private members, which the compiler checks.
 */
export function unusedMembers(program: readonly Source[]): string[] {
  const named = new Map<string, number>();
  for (const source of program)
    for (const word of withoutComments(source).match(/[\w$]+/g) ?? []) named.set(word, (named.get(word) ?? 0) + 1);
  return program.flatMap((source) => {
    const found: string[] = [];
    walk(syntaxOf(source).program, (node, parents) => {
      if (node.type !== 'MethodDefinition' && node.type !== 'PropertyDefinition') return true;
      if (node.key.type !== 'Identifier' || node.key.name === 'constructor') return true;
      const body = parents.at(-1)!;
      const head = source.text.slice(parents.at(-2)!.start, body.start);
      const isCalledByOthers = /\b(?:implements|extends)\b/.test(head);
      if (!isCalledByOthers && (named.get(node.key.name) ?? 0) < 2) found.push(`${source.path}:${lineOf(node)} ${node.key.name}`);
      return true;
    });
    return found;
  });
}
