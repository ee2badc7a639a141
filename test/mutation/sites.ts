/**
 * Places in a source file where one operator, boundary or statement can be changed. Types are blanked out first, which keeps every
 * position, so that a change is a cut in the TypeScript text itself.
 */
import type { AnyNode } from 'acorn';
import { syntaxOf, walk, type Source } from '../tidy/source.ts';

export interface Site {
  readonly start: number;
  readonly end: number;
  /** The replacement of [start, end). */
  readonly text: string;
  /** Kind of the change, as printed. */
  readonly kind: string;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
  '++': ['--'],
  '--': ['++'],
};

const METHODS: Readonly<Record<string, string>> = {
  min: 'max', max: 'min', floor: 'ceil', ceil: 'floor', round: 'floor', some: 'every', every: 'some', push: 'unshift', shift: 'pop', has: 'add',
}; // prettier-ignore

/** Returns the text with this one change. */
export function mutated(text: string, { start, end, text: instead }: Site): string {
  return text.slice(0, start) + instead + text.slice(end);
}

/** Returns all possible changes of the source, in order of place. */
export function sitesOf(source: Source): Site[] {
  const code = source.text;
  const sites: Site[] = [];
  walk(syntaxOf(source).program, (node, parents) => {
    if (node.type === 'ImportDeclaration') return false;
    look(node, parents.at(-1));
    return true;
  });
  return sites.toSorted((a, b) => a.start - b.start || a.text.localeCompare(b.text));

  function look(node: AnyNode, parent: AnyNode | undefined): void {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression':
        // Concatenation of texts, not addition.
        if (node.operator === '+' && [node.left, node.right].some(isText)) return;
        return exchange(node.operator, node.left.end, node.right.start);
      case 'UpdateExpression':
        return node.prefix
          ? exchange(node.operator, node.start, node.argument.start)
          : exchange(node.operator, node.argument.end, node.end);
      case 'UnaryExpression':
        if (node.operator === '!') add(node.start, node.start + 1, '', 'not');
        else if (node.operator === '-') add(node.start, node.start + 1, '', 'sign');
        return;
      case 'Literal':
        if (typeof node.value === 'boolean') add(node.start, node.end, String(!node.value), 'boolean');
        else if (typeof node.value === 'number' && parent?.type !== 'MemberExpression')
          add(node.start, node.end, `(${code.slice(node.start, node.end)} + 1)`, 'one more');
        return;
      case 'CallExpression': {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return;
        const other = METHODS[callee.property.name];
        if (other !== undefined) add(callee.property.start, callee.property.end, other, 'method');
        return;
      }
      case 'ExpressionStatement':
        if (['CallExpression', 'AssignmentExpression'].includes(node.expression.type)) add(node.start, node.end, ';', 'no statement');
        return;
      case 'IfStatement':
        add(node.test.start, node.test.end, 'false', 'never');
        add(node.test.start, node.test.end, 'true', 'always');
        return;
      case 'ReturnStatement':
        if (node.argument === null || node.argument === undefined) add(node.start, node.end, ';', 'no way out');
        return;
      case 'BreakStatement':
      case 'ContinueStatement':
        return add(node.start, node.end, ';', 'no way out');
      default:
    }
  }

  function exchange(operator: string, from: number, to: number): void {
    const start = code.indexOf(operator, from);
    if (start < 0 || start >= to) return;
    for (const other of OPERATORS[operator] ?? []) add(start, start + operator.length, other, operator);
  }

  function add(start: number, end: number, text: string, kind: string): void {
    sites.push({ start, end, text, kind });
  }
}

function isText(node: AnyNode): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
