/**
 * Which room may import which, and the one file that may import each restricted package. ARCHITECTURE.md has the same drawing. Which parts of
 * the engine assert what must hold of their state.
 */
import { posix } from 'node:path';
import { importsOf, type Source } from './source.ts';

const CORE = ['base', 'domain', 'ports'];

/** Room → rooms that it may import from, besides itself. `edge` are the files directly in edge/, shared by its rooms. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  browser: [],
  domain: ['base'],
  ports: ['domain', 'base'],
  search: CORE,
  contract: ['domain', 'base'],
  venue: ['contract', ...CORE],
  indicators: ['base'],
  statistics: ['base'],
  engine: CORE,
  sim: ['venue', 'contract', ...CORE],
  tape: CORE,
  edge: ['venue', 'contract', ...CORE],
  'edge/*': ['browser', 'edge', 'venue', 'contract', 'control', ...CORE],
  control: CORE,
  monitor: ['browser', 'control', ...CORE],
  report: ['search', 'statistics', 'tape', ...CORE],
  config: ['venue', 'contract', ...CORE],
  run: [
    'browser',
    'search',
    'edge',
    'edge/*',
    'engine',
    'sim',
    'tape',
    'report',
    'statistics',
    'config',
    'venue',
    'contract',
    'control',
    'monitor',
    'door',
    ...CORE,
  ],
  cli: ['search', 'run', 'config', 'indicators', 'report', 'contract', 'control', 'monitor', ...CORE],
  door: ['engine', 'indicators', 'report', ...CORE],
  main: ['cli', 'run', 'config', 'base'],
};

/** Package → the one file that imports it. */
const OWNERS: Readonly<Record<string, string>> = {
  'decimal.js': 'src/domain/amounts/decimal.ts',
  bottleneck: 'src/edge/pace/',
  'p-retry': 'src/edge/http/',
  pino: 'src/edge/log/',
  'node-cron': 'src/edge/cron/',
  ioredis: 'src/edge/redis/redis-client.ts',
  bullmq: 'src/edge/jobs/queue.ts',
  nodemailer: 'src/edge/alerts/mail.ts',
  '@modelcontextprotocol/server': 'src/edge/mcp/serve.ts',
};

/** What tests of strategies import: they are copied into the projects of users. */
const TEST_IMPORTS: readonly string[] = ['tickwright', 'tickwright/testing', 'node:assert/strict', 'node:test'];

/** Parts of the engine that act on state which a mistake would turn into orders. */
const ASSERTING = /^src\/engine\/(orders|operator|polling|positions|recovery|risk|trades)\//;
/** Files there that have a class and assert nothing, and why. */
const NOTHING_TO_ASSERT: Readonly<Record<string, string>> = {
  'src/engine/positions/dropped-reads.ts': 'it has times of two clocks, and either may be set back',
  'src/engine/positions/equity.ts': 'it has nothing but what the venue said',
  'src/engine/positions/watch.ts': 'it passes answers on',
  'src/engine/polling/account-symbol.ts': 'the plan of polls may change under a read',
  'src/engine/polling/id-watch.ts': 'it has times alone',
  'src/engine/polling/read-failures.ts': 'it has nothing but what the venue said',
  'src/engine/recovery/by-strategy/saved-states.ts': 'a strategy may save any text',
  'src/engine/recovery/bug-halt.ts': 'a check that failed ends there',
  'src/engine/recovery/registry.ts': 'check-snapshot.ts checks what it makes',
  'src/engine/risk/clock-halt.ts': 'it passes a halt on',
  'src/engine/trades/executions/execution.ts': 'its book, strategy-executions.ts, changes it',
  'src/engine/trades/trade.ts': 'its book, strategy-trades.ts, changes it',
};

/** True if the file keeps state in a part of the engine that asserts what must hold of it, and asserts nothing. Hot files are left out. */
export function assertsNothing(source: Source): boolean {
  return keepsState(source) && !asserts(source) && !(source.path in NOTHING_TO_ASSERT);
}

/** Files that are excused although there is nothing to excuse. */
export function uselessExcuses(sources: readonly Source[]): string[] {
  const silent = new Set(sources.filter((source) => keepsState(source) && !asserts(source)).map(({ path }) => path));
  return Object.keys(NOTHING_TO_ASSERT).filter((path) => !silent.has(path));
}

function keepsState({ path, text }: Source): boolean {
  return ASSERTING.test(path) && /^export class (?!\w+ extends \w*Error\b)/m.test(text) && !/@hot\b/.test(text);
}

function asserts({ text }: Source): boolean {
  return /\bassert\(/.test(text);
}

/** The room of a file, named from the root: "engine", "edge/http", "door" for src/index.ts, … */
export function roomOf(path: string): string {
  if (path === 'src/index.ts') return 'door';
  const [top = '', room = '', inner = '', ...rest] = path.split('/');
  if (top !== 'src') return top;
  if (inner === '') return 'main';
  return room === 'edge' && rest.length > 0 ? `edge/${inner}` : room;
}

/** Imports of `source` that break the rules. */
export function crossings(source: Source): string[] {
  const found: string[] = [];
  const room = roomOf(source.path);
  for (const name of importsOf(source)) {
    if (room === 'strategies' && source.path.endsWith('.test.ts')) {
      if (!TEST_IMPORTS.includes(name) && !name.startsWith('./'))
        found.push(`${source.path} imports ${name}: the test of a strategy may import ${TEST_IMPORTS.join(', ')} and its strategy`);
      continue;
    }
    if (!name.startsWith('.')) {
      if (room === 'strategies' && name !== 'tickwright')
        found.push(`${source.path} imports ${name}: a strategy may import only "tickwright"`);
      if (name === 'tickwright' && room !== 'strategies') found.push(`${source.path} imports the public API by its name`);
      continue;
    }
    const target = posix.join(posix.dirname(source.path), name);
    const to = roomOf(target);
    if (to === room && room !== 'strategies') continue;
    const allowed = ARROWS[room.startsWith('edge/') ? 'edge/*' : room];
    if (allowed === undefined) found.push(`${source.path}: the room "${room}" is not in the table of arrows`);
    else if (!allowed.includes(to.startsWith('edge/') ? 'edge/*' : to) || (room.startsWith('edge/') && to.startsWith('edge/'))) {
      found.push(`${source.path} imports ${target}: ${room} may not import ${to}`);
    }
  }
  return found;
}

/** Packages imported by more than one file, or by a file that does not own them. */
export function strayOwners(sources: readonly Source[]): string[] {
  const importers = new Map<string, string[]>();
  for (const source of sources) {
    for (const name of new Set(importsOf(source).map(packageOf))) {
      if (Object.hasOwn(OWNERS, name)) importers.set(name, [...(importers.get(name) ?? []), source.path]);
    }
  }
  return [...importers].flatMap(([name, paths]) => {
    const owner = OWNERS[name] ?? '';
    const strays = paths.filter((path) => !path.startsWith(owner)).map((path) => `${path} imports ${name}, which belongs to ${owner}`);
    return paths.length > 1 ? [...strays, `${name} is imported by more than one file: ${paths.join(', ')}`] : strays;
  });
}

function packageOf(name: string): string {
  return name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? name);
}
