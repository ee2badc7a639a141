/** Forbidden words in a room: clocks, randomness and I/O in the core, modes outside the wiring, unfinished work anywhere. */
import type { AnyNode } from 'acorn';
import { headerOf, importsOf, lineOf, syntaxOf, walk, withoutComments, type Source } from './source.ts';
import { roomOf } from './walls.ts';

const PURE_ROOMS = ['base', 'domain', 'ports', 'indicators', 'search', 'engine', 'sim'];
const MODE_ROOMS = ['run', 'config', 'cli'];
const GLOBALS = new Set([
  'Date',
  'performance',
  'process',
  'console',
  'crypto',
  'fetch',
  'globalThis',
  'Buffer',
  'navigator',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'Atomics',
  'WebSocket',
  'Worker',
]);
const MODE = /\b(isBacktest|isLive|isPaper|dryRun)\b|\bmode\s*[!=]==?/g;

/** Impure words in a room that must be pure. */
export function impurities(source: Source): string[] {
  if (!PURE_ROOMS.includes(roomOf(source.path))) return [];
  const found = importsOf(source)
    .filter((name) => name.startsWith('node:'))
    .map((name) => `${source.path} imports ${name}`);
  walk(syntaxOf(source).program, (node, parents) => {
    const word = impureWord(node, parents.at(-1));
    if (word !== null) found.push(`${source.path}:${lineOf(node)} says ${word}`);
  });
  return found;
}

function impureWord(node: AnyNode, parent: AnyNode | undefined): string | null {
  if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) return 'await';
  if ((node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression') && node.async)
    return 'async';
  if (node.type === 'MemberExpression' && isNamed(node.object, 'Math') && !node.computed && isNamed(node.property, 'random'))
    return 'Math.random';
  if (node.type === 'Identifier' && GLOBALS.has(node.name) && isReference(node, parent)) return node.name;
  return null;
}

/** True if a global is read, as opposed to naming a property, a method or a local. */
function isReference(node: AnyNode, parent: AnyNode | undefined): boolean {
  if (parent === undefined) return true;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed;
  if (parent.type === 'Property') return parent.value === node && !(parent.shorthand && parent.key === node && parent.value !== node);
  if (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition') return parent.key !== node || parent.computed;
  return true;
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

/** Places outside the wiring that check the mode of the program. */
export function modeWords(source: Source): string[] {
  if (MODE_ROOMS.includes(roomOf(source.path))) return [];
  return matches(source.path, withoutComments(source), MODE);
}

/** Places that take the oldest entry of a map: a map walks over the entries deleted before it. `RecentMap` keeps the newest entries. */
export function oldestOfMap(source: Source): string[] {
  return matches(source.path, withoutComments(source), /\.(keys|values|entries)\(\)\s*\.next\(/g);
}

/** Unfinished work, default exports and files without a header. */
export function unfinishedWork(source: Source): string[] {
  const found = matches(source.path, source.text, /\b(TODO|FIXME|XXX|HACK)\b/g);
  if (headerOf(source) === '') found.push(`${source.path} does not begin with a comment that says what it is for`);
  const isStrategy = /(^|\/)strategies\//.test(source.path);
  if (!isStrategy) found.push(...matches(source.path, withoutComments(source), /^export default\b/gm));
  const name = source.path.split('/').at(-1) ?? '';
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(ts|js)$/.test(name)) found.push(`${source.path} is not named in kebab-case`);
  return found;
}

function matches(path: string, text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => `${path}:${text.slice(0, match.index).split('\n').length} says ${match[0].trim()}`);
}
