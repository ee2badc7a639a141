/**
 * Reads the titles of a file's tests that run in CI from its syntax. Tests that are skipped, expected to fail or marked as todo do not run,
 * nor do those in a skipped suite. Conditions are evaluated for CI: Linux, with every tool and recording present. A condition that cannot
 * be evaluated does not count as true.
 */
import type { AnyNode, CallExpression, Expression } from 'acorn';
import { syntaxOf, walk, type Source } from './source.ts';

/** Functions that look for a tool, a package or a recording: in CI all are present. */
const FINDS = new Set(['existsSync', 'hasRedis', 'hasTools', 'installed']);
const TESTS = new Set(['it', 'test']);
const OFF = new Set(['skip', 'todo', 'fails']);

/** A known value, `THERE` for something that was found, or undefined if unknown. */
type Known = { readonly value: unknown } | undefined;
const THERE = {};

/** How a test or a suite is called: the words after its name, and the conditions among them. */
interface Called {
  readonly name: string;
  readonly words: readonly { readonly word: string; readonly args: readonly AnyNode[] }[];
}

/** The titles of the file's tests that run in CI, including those of their suites. */
export function titlesInCi(source: Source): string[] {
  const { program } = syntaxOf(source);
  const constants = new Map<string, Expression>();
  walk(program, (node, parents) => {
    const declaration = parents.at(-1);
    if (node.type !== 'VariableDeclarator' || declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return;
    const { id, init } = node;
    // A name that is declared twice may have either value.
    if (id.type === 'Identifier' && init) constants.set(id.name, constants.has(id.name) ? id : init);
  });
  const titles: string[] = [];
  walk(program, (node) => {
    const called = node.type === 'CallExpression' ? calledBy(node.callee, constants) : null;
    if (called === null || node.type !== 'CallExpression') return true;
    const title = textOf(node.arguments[0]);
    if (title === null) return true;
    if (!runs(called, node, constants)) return false;
    const isSuite = !TESTS.has(called.name);
    if (!isSuite || hasTests(node, constants)) titles.push(title);
    return true;
  });
  return titles;
}

/** True if the suite has a test that runs, or calls something that may define some. */
function hasTests(suite: CallExpression, constants: ReadonlyMap<string, Expression>): boolean {
  let all = 0;
  let running = 0;
  walk(suite, (node) => {
    const called = node !== suite && node.type === 'CallExpression' ? calledBy(node.callee, constants) : null;
    if (called === null || node.type !== 'CallExpression' || textOf(node.arguments[0]) === null) return true;
    const isRunning = runs(called, node, constants);
    if (!TESTS.has(called.name)) return isRunning;
    all++;
    if (isRunning) running++;
    return false;
  });
  return all === 0 || running > 0;
}

/** Parses `it.skipIf(x).each(rows)`; null for other calls. */
function calledBy(callee: AnyNode, constants: ReadonlyMap<string, Expression>): Called | null {
  const words: { word: string; args: readonly AnyNode[] }[] = [];
  let node: AnyNode | undefined = callee;
  let args: readonly AnyNode[] = [];
  for (let depth = 0; node !== undefined && depth < 20; depth++) {
    if (node.type === 'CallExpression') {
      args = node.arguments;
      node = node.callee;
    } else if (node.type === 'TaggedTemplateExpression') {
      node = node.tag;
    } else if (node.type === 'MemberExpression') {
      const { property }: { property: AnyNode } = node;
      words.push({ word: property.type === 'Identifier' ? property.name : '', args });
      args = [];
      node = node.object;
    } else if (node.type === 'Identifier') {
      const { name } = node;
      if (TESTS.has(name) || name === 'describe') return { name, words };
      node = constants.get(name);
    } else {
      return null;
    }
  }
  return null;
}

function runs({ words }: Called, call: CallExpression, constants: ReadonlyMap<string, Expression>): boolean {
  for (const { word, args } of words) {
    if (OFF.has(word)) return false;
    if (word !== 'skipIf' && word !== 'runIf') continue;
    const known = args[0] === undefined ? undefined : valueOf(args[0], constants);
    if (known === undefined || Boolean(known.value) !== (word === 'runIf')) return false;
  }
  return call.arguments.slice(1).every((option) => isOn(option, constants));
}

/** False for options that disable a test, such as `{ fails: true }`. */
function isOn(option: AnyNode, constants: ReadonlyMap<string, Expression>): boolean {
  const node = option.type === 'Identifier' ? (constants.get(option.name) ?? option) : option;
  if (node.type !== 'ObjectExpression') return true;
  return node.properties.every((property) => {
    if (property.type === 'SpreadElement') return isOn(property.argument, constants);
    const { key } = property;
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
    if (!OFF.has(name)) return true;
    const known = valueOf(property.value, constants);
    return known !== undefined && !known.value;
  });
}

function valueOf(node: AnyNode, constants: ReadonlyMap<string, Expression>): Known {
  switch (node.type) {
    case 'Literal':
      return { value: node.value };
    case 'AwaitExpression':
      return valueOf(node.argument, constants);
    case 'Identifier': {
      if (node.name === 'undefined') return { value: undefined };
      const init = constants.get(node.name);
      return init === undefined || init === node || init.type === 'Identifier' ? undefined : valueOf(init, constants);
    }
    case 'MemberExpression':
      return environment(node, constants);
    case 'UnaryExpression': {
      const known = node.operator === '!' ? valueOf(node.argument, constants) : undefined;
      return known && { value: !known.value };
    }
    case 'LogicalExpression': {
      const [left, right] = [valueOf(node.left, constants), valueOf(node.right, constants)];
      if (node.operator === '??') return left && (left.value ?? undefined) === undefined ? right : left;
      const decides = node.operator === '||';
      if (left !== undefined) return Boolean(left.value) === decides ? left : right;
      return right !== undefined && Boolean(right.value) === decides ? right : undefined;
    }
    case 'BinaryExpression': {
      const [left, right] = [valueOf(node.left, constants), valueOf(node.right, constants)];
      if (left === undefined || right === undefined) return undefined;
      if (node.operator === '===') return { value: left.value === right.value };
      return node.operator === '!==' ? { value: left.value !== right.value } : undefined;
    }
    case 'CallExpression':
      return foundBy(node, constants);
    default:
      return undefined;
  }
}

/** `process.env['CI']` and `process.platform` as in CI, where no other variable is set. */
function environment(node: AnyNode & { type: 'MemberExpression' }, constants: ReadonlyMap<string, Expression>): Known {
  const { object, property } = node;
  const name = property.type === 'Identifier' && !node.computed ? property.name : undefined;
  if (object.type === 'Identifier' && object.name === 'process') return name === 'platform' ? { value: 'linux' } : undefined;
  const isEnv = object.type === 'MemberExpression' && object.property.type === 'Identifier' && object.property.name === 'env';
  if (!isEnv) return undefined;
  const key = name ?? valueOf(property, constants)?.value;
  return { value: key === 'CI' ? 'true' : undefined };
}

/** Checks for tools, or for every file of a list. */
function foundBy({ callee, arguments: args }: CallExpression, constants: ReadonlyMap<string, Expression>): Known {
  if (callee.type === 'Identifier') return FINDS.has(callee.name) ? { value: THERE } : undefined;
  const [test] = args;
  const isEvery = callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'every';
  if (!isEvery || test?.type !== 'ArrowFunctionExpression') return undefined;
  return test.body.type === 'BlockStatement' ? undefined : valueOf(test.body, constants);
}

/** The value of a plain, template or concatenated text without its inserted parts; null for anything else. */
function textOf(node: AnyNode | undefined): string | null {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join('…');
  if (node?.type !== 'BinaryExpression' || node.operator !== '+') return null;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === null && right === null ? null : (left ?? '…') + (right ?? '…');
}
