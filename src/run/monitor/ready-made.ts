/** The ready-made bots for the dashboard's form: parameters from their files, words from their page. */
import { readFileSync } from 'node:fs';
import { formatDuration } from '../../base/time/duration.ts';
import { once } from '../../base/once.ts';
import { readyMadeFile } from '../../config/ready-made.ts';
import type { ReadyMadeAnswer, ReadyMadeBot, ReadyMadeParam } from '../../control/ready-made.ts';
import { READY_MADE, type ReadyMade } from '../../domain/ready-made.ts';
import type { Param } from '../../engine/strategy/definition/params.ts';
import { loadStrategy } from '../setup/strategy/load-strategy.ts';

const PAGE = new URL('../../../docs/bots.md', import.meta.url);

/** They do not change while the monitor runs. */
export const readyMadeBots = once(async (): Promise<ReadyMadeAnswer> => {
  const page = readFileSync(PAGE, 'utf8');
  return { bots: await Promise.all(READY_MADE.map((name) => botOf(name, page))) };
});

async function botOf(name: ReadyMade, page: string): Promise<ReadyMadeBot> {
  const { doc, params } = await loadStrategy(readyMadeFile(name));
  const section = page.split(/^## /m).find((text) => text.startsWith(`${name}\n`)) ?? '';
  const paragraphs = section.split('\n\n').slice(1).map(plain);
  const loses = paragraphs.find((text) => text.startsWith('Loses ')) ?? '';
  return { name, does: paragraphs[0] ?? doc, loses, params: Object.entries(params).map(([key, one]) => paramOf(key, one)) };
}

function paramOf(name: string, { choices, doc, expects, fallback, type }: Param<unknown>): ReadyMadeParam {
  const text = type === 'duration' ? formatDuration(fallback as number) : String(fallback);
  return { name, type, fallback: text, doc: plain(doc), expects, choices: type === 'boolean' ? ['true', 'false'] : (choices ?? []) };
}

/** Markdown as plain text, without links that stand in brackets. */
function plain(text: string): string {
  return text
    .replaceAll(/ \(\[[^\]]+\]\([^)]+\)\)/g, '')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
