/**
 * Places in a source file where one operator, boundary or statement can be changed. Types are blanked out first, which keeps every
 * position, so a change is a cut in the TypeScript text itself.
 */
import type { Node } from 'acorn';
import { syntaxOf, type Source } from '../tidy/source.ts';

export interface Site {
  readonly start: number;
  readonly end: number;
  /** What stands at [start, end) instead. */
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

type Tree = Node & Record<string, unknown>;
const isNode = (value: unknown): value is Tree => typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** The text with that one change. */
export function mutated(text: string, { start, end, text: instead }: Site): string {
  return text.slice(0, start) + instead + text.slice(end);
}

/** All changes that fit the source, in order of place. */
export function sitesOf(source: Source): Site[] {
  const tree = syntaxOf(source).program as unknown as Tree;
  const code = source.text;
  const sites: Site[] = [];
  visit(tree, null);
  return sites.toSorted((a, b) => a.start - b.start || a.text.localeCompare(b.text));

  function visit(node: Tree, parent: Tree | null): void {
    if (node.type === 'ImportDeclaration') return;
    look(node, parent);
    for (const value of Object.values(node)) {
      if (isNode(value)) visit(value, node);
      else if (Array.isArray(value)) for (const item of value) if (isNode(item)) visit(item, node);
    }
  }

  function look(node: Tree, parent: Tree | null): void {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression':
        // Texts are joined, not added.
        if (node['operator'] === '+' && [node['left'], node['right']].some((side) => isText(side as Tree))) return;
        return exchange(node, (node['left'] as Tree).end, (node['right'] as Tree).start);
      case 'UpdateExpression':
        return node['prefix'] === true
          ? exchange(node, node.start, (node['argument'] as Tree).start)
          : exchange(node, (node['argument'] as Tree).end, node.end);
      case 'UnaryExpression':
        if (node['operator'] === '!') add(node.start, node.start + 1, '', 'not');
        else if (node['operator'] === '-') add(node.start, node.start + 1, '', 'sign');
        return;
      case 'Literal':
        if (typeof node['value'] === 'boolean') add(node.start, node.end, String(!node['value']), 'boolean');
        else if (typeof node['value'] === 'number' && parent?.type !== 'MemberExpression')
          add(node.start, node.end, `(${code.slice(node.start, node.end)} + 1)`, 'one more');
        return;
      case 'CallExpression': {
        const callee = node['callee'] as Tree;
        const property = callee['property'] as Tree | undefined;
        const other = property === undefined ? undefined : METHODS[property['name'] as string];
        if (property !== undefined && other !== undefined && callee['computed'] === false)
          add(property.start, property.end, other, 'method');
        return;
      }
      case 'ExpressionStatement': {
        const what = (node['expression'] as Tree).type;
        if (what === 'CallExpression' || what === 'AssignmentExpression') add(node.start, node.end, ';', 'no statement');
        return;
      }
      case 'IfStatement': {
        const test = node['test'] as Tree;
        add(test.start, test.end, 'false', 'never');
        add(test.start, test.end, 'true', 'always');
        return;
      }
      case 'ReturnStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        if (node['argument'] === null || node['argument'] === undefined) add(node.start, node.end, ';', 'no way out');
        return;
      default:
    }
  }

  function exchange(node: Tree, from: number, to: number): void {
    const operator = node['operator'] as string;
    const start = code.indexOf(operator, from);
    if (start < 0 || start >= to) return;
    for (const other of OPERATORS[operator] ?? []) add(start, start + operator.length, other, operator);
  }

  function add(start: number, end: number, text: string, kind: string): void {
    sites.push({ start, end, text, kind });
  }
}

function isText(node: Tree): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string');
}
