/**
 * docs/operations.md says for each situation what the dashboard shows. What stands between “ and ” are words of the program, with … for what
 * changes; a lone word in code is the code of a halt.
 */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LOG_EVENTS } from '../../../src/base/tables/log-events.ts';
import { HALT_CODES } from '../../../src/engine/state/events/halt-codes.ts';
import { dashboardFiles } from '../../../src/run/monitor/page-files.ts';

/** Files besides those of the page whose texts it shows: why a bot is not heard, why nothing opens. */
const SOURCES = ['src/run/monitor/followed/follow-bot.ts', ...globSync('src/engine/{positions,risk}/*.ts')];
const CODES: ReadonlySet<string> = new Set(Object.keys(HALT_CODES));

const scripts = [...dashboardFiles().files].filter(([path]) => path.startsWith('/app/monitor/')).map(([, { body }]) => String(body));
const shown = [...scripts, ...SOURCES.map((path) => readFileSync(path, 'utf8'))]
  .map((text) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, ''))
  .concat(Object.values(LOG_EVENTS).map(({ doc }) => `${doc.split(/[.;:] /)[0]!.replaceAll('`', '')}.`))
  .join('\n');

/** [situation, its lines about the dashboard] each. */
const situations = readFileSync('docs/operations.md', 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => [section.split('\n')[0]!, [...section.matchAll(/^\*\*Dashboard\*\*: (.*)$/gm)].map(([, said = '']) => said)] as const);

const quotedIn = (said: string): string[] => [...said.matchAll(/“([^”]*)”/g)].flatMap(([, quote = '']) => quote.split('…'));
const codesIn = (said: string): string[] => [...said.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => code);

describe('what docs/operations.md says of the dashboard', () => {
  it('is one line for each situation', () => {
    expect(situations.length).toBeGreaterThan(30);
    expect(situations.filter(([, lines]) => lines.length !== 1).map(([title]) => title)).toEqual([]);
  });

  it('are words of the program, and codes of halts', () => {
    const all = situations.flatMap(([title, lines]) => lines.map((said) => ({ title, said })));
    const quoted = all.flatMap(({ title, said }) => quotedIn(said).map((part) => ({ title, part: part.trim() })));
    expect(quoted.length).toBeGreaterThan(30);
    expect(quoted.filter(({ part }) => !shown.includes(part))).toEqual([]);
    expect(all.flatMap(({ said }) => codesIn(said)).filter((code) => !CODES.has(code))).toEqual([]);
  });
});
