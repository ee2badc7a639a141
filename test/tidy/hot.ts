/**
 * Files whose header carries `@hot` run once per market row or order. Inside their functions nothing is allocated and nothing waits. Not
 * checked: constructors, what follows `throw`, and what runs once at load. `// hot-ok: reason` excuses its line; where a function begins, or
 * alone on the line after, it excuses the whole function. A mark that excuses nothing is an error.
 */
import type { AnyNode } from 'acorn';
import { headerOf, lineOf, syntaxOf, walk, type Source } from './source.ts';

const REASON = /\/\/\s*hot-ok:\s*\S/;

export function isHot(source: Source): boolean {
  return /@hot\b/.test(headerOf(source));
}

/** What a hot file may not do, with its lines. */
export function hotViolations(source: Source): string[] {
  return findings(source).flatMap(({ what, line, mark }) => (mark === null ? [`${source.path}:${line} ${what} in a hot function`] : []));
}

/** Fields with `declare`, which makes compiled code faster, in files that are not hot. A field that a subclass sets is neither readonly nor private. */
export function coldDeclares(source: Source): string[] {
  if (isHot(source)) return [];
  const fields = source.text
    .split('\n')
    .map((line, k) => (/^ +declare (private |readonly )/.test(line) ? `${source.path}:${k + 1} declare` : ''));
  return fields.filter((one) => one !== '');
}

/** The marks that excuse nothing, and those in files that are not hot. */
export function uselessMarks(source: Source): string[] {
  const used = new Set(findings(source).map(({ mark }) => mark));
  return markLines(source.text.split('\n')).flatMap((line) => (used.has(line) ? [] : [`${source.path}:${line} hot-ok excuses nothing`]));
}

/** Number of marks. */
export function exemptionCount(source: Source): number {
  return markLines(source.text.split('\n')).length;
}

function markLines(lines: readonly string[]): number[] {
  return lines.flatMap((line, k) => (REASON.test(line) ? [k + 1] : []));
}

interface Finding {
  readonly what: string;
  readonly line: number;
  /** Line of the mark that excuses it, or null. */
  readonly mark: number | null;
}

function findings(source: Source): Finding[] {
  if (!isHot(source)) return [];
  const found: Finding[] = [];
  const lines = source.text.split('\n');
  const markOn = (line: number): number | null => (REASON.test(lines[line - 1] ?? '') ? line : null);
  /** A mark where the function begins, or alone on the first line of its body. */
  const markOf = (node: AnyNode): number | null => {
    if (!isFunction(node)) return null;
    const body = 'body' in node && !Array.isArray(node.body) ? lineOf(node.body) : lineOf(node);
    const inside = body + 1;
    return markOn(lineOf(node)) ?? markOn(body) ?? (/^\s*\/\//.test(lines[inside - 1] ?? '') ? markOn(inside) : null);
  };
  walk(syntaxOf(source).program, (node, parents) => {
    const depth = parents.filter(isFunction).length;
    if (node.type === 'ThrowStatement') return false;
    if (node.type === 'MethodDefinition' && node.kind === 'constructor') return false;
    if (isFunction(node) && depth === 0 && parents.at(-1)?.type === 'CallExpression') return false;
    if (depth === 0) return true;
    const what = allocation(node, parents.at(-1));
    if (what === null) return true;
    const line = lineOf(node);
    const marks = [...parents, node].map(markOf).filter((mark) => mark !== null);
    found.push({ what, line, mark: marks[0] ?? markOn(line) });
    return true;
  });
  return found;
}

function isFunction(node: AnyNode): boolean {
  return node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';
}

function allocation(node: AnyNode, parent: AnyNode | undefined): string | null {
  switch (node.type) {
    case 'AwaitExpression':
      return 'await';
    case 'ArrowFunctionExpression':
      return 'an arrow function';
    case 'FunctionExpression':
      return parent?.type === 'MethodDefinition' ? null : 'a function expression';
    case 'FunctionDeclaration':
      return 'an inner function';
    case 'ObjectExpression':
      return 'an object literal';
    case 'ArrayExpression':
      return 'an array literal';
    case 'NewExpression':
      return 'new';
    case 'SpreadElement':
    case 'RestElement':
      return 'spread';
    case 'TemplateLiteral':
      return node.expressions.length > 0 ? 'a template with values' : null;
    case 'Identifier':
      return node.name === 'Decimal' ? 'Decimal' : null;
    default:
      return null;
  }
}
