/** The names of log events: one table that the code and the page match. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOG_EVENTS } from '../../src/base/tables/log-events.ts';
import { logEventsPage } from '../../src/cli/pages/log-events-page.ts';
import { sourcesIn } from './source.ts';

/** Composed event names: the expression and its possible results. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  'command-${status}': ['command-unsent', 'command-unknown'],
  'verdict.cause': ['entry-missing', 'response-mixup'],
  'eventOf(scope': ['opens-halted', 'symbol-halted', 'leg-halted', 'strategy-halted'],
  STEP: ['step'],
  event: [],
  isAway: ['journal-away', 'journal-back'],
};

function namesIn(text: string): string[] {
  const calls = /\b#?log\.(?:debug|info|warn|error)\(\s*(?:(['`])([^'`]+)\1|([A-Za-z_.]+(?:\([A-Za-z_.]+)?))/g;
  const said = [...text.matchAll(calls)].map(([, , name, made]) => name ?? made ?? '');
  const counted = [...text.matchAll(/counters\.(?:count|add)\('([a-z-]+)'/g)].map(([, name]) => name ?? '');
  const queued = [...text.matchAll(/#pending\.push\(\[\s*(?:'([a-z-]+)'|isMove \? '([a-z-]+)' : '([a-z-]+)')/g)].flatMap(([, a, b, c]) => [
    a,
    b,
    c,
  ]);
  return [...said, ...counted, ...queued.filter((name) => name !== undefined)].flatMap((name) => MADE[name] ?? [name]);
}

test('every log event has a row in src/base/tables/log-events.ts, and every row is used', () => {
  const used = new Set(sourcesIn('src').flatMap(({ text }) => namesIn(text)));
  const known = new Set(Object.keys(LOG_EVENTS));
  expect(
    [...used].filter((name) => !known.has(name)),
    'add a row for it',
  ).toEqual([]);
  expect(
    [...known].filter((name) => !used.has(name)),
    'no code says this',
  ).toEqual([]);
});

test('docs/reference/log-events.md is up to date (if not: npm run docs)', () => {
  expect(readFileSync(new URL('../../docs/reference/log-events.md', import.meta.url), 'utf8') === logEventsPage()).toBe(true);
});
