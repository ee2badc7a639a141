/**
 * Files with `@hot` in their header run once per market row: their functions must not allocate or wait. Exceptions: constructors, code
 * after `throw`, code that runs once at load, and lines with `// hot-ok: reason`. On the first line of a function the mark exempts the
 * whole function.
 */
import type { AnyNode } from 'acorn';
import { headerOf, marketOf, syntaxOf, walk, type Source } from './source.ts';

const REASON = /\/\/\s*hot-ok:\s*\S/;

export function isHot(source: Source): boolean {
  return /@hot\b/.test(headerOf(source));
}

/** Forbidden operations in a hot file, with their lines. */
export function hotViolations(source: Source): string[] {
  if (!isHot(source)) return [];
  const found: string[] = [];
  const lines = source.text.split('\n');
  const isFreed = (node: AnyNode): boolean => REASON.test(lines[marketOf(node) - 1] ?? '');
  walk(syntaxOf(source).program, (node, parents) => {
    const depth = parents.filter(isFunction).length;
    if (node.type === 'ThrowStatement') return false;
    if (node.type === 'MethodDefinition' && (node.kind === 'constructor' || isFreed(node))) return false;
    if (isFunction(node) && (isFreed(node) || (depth === 0 && parents.at(-1)?.type === 'CallExpression'))) return false;
    if (depth === 0) return true;
    const what = allocation(node, parents.at(-1));
    if (what === null || isFreed(node)) return true;
    found.push(`${source.path}:${marketOf(node)} ${what} in a hot function`);
    return true;
  });
  return found;
}

/** Number of exemptions. */
export function exemptionCount(source: Source): number {
  return isHot(source) ? source.text.split('\n').filter((line) => REASON.test(line)).length : 0;
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
