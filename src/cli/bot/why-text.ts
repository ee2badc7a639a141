/** The answers of `why` as text: the reason first, then what else was found, and all checks when they are asked for. */
import { wrap } from '../../base/text/wrap.ts';
import type { StoryAnswer, WhyAnswer } from '../../control/answers.ts';
import { FUNNEL_STAGES, type Check, type Ladder } from '../../domain/messages/why.ts';
import { numbers, table, words } from '../../report/document/text-table.ts';
import { safeText, sentence, type Paint } from '../terminal/terminal.ts';
import { when } from './process-text.ts';

interface WhyOptions {
  readonly paint: Paint;
  readonly width: number;
  readonly isFunnel: boolean;
  readonly isAll: boolean;
}

export function whyText(body: WhyAnswer | StoryAnswer, options: WhyOptions): string {
  if ('steps' in body) return storyText(body, options);
  if (options.isFunnel) return funnelText(body.ladders, options);
  const head =
    body.stoppedAt !== undefined
      ? stoppedText(body.stoppedAt, body.ladders, options)
      : body.isReplayed
        ? `at ${when(body.time)}, from the recording\n`
        : '';
  const parts = body.ladders.map((ladder) => ladderText(ladder, body.time, options));
  const lines = body.lines.map(({ time, event, text }) =>
    sentence(`  ${clockOf(time)}  ${event} ${text}`, options.width, '', '              '),
  );
  const log = lines.length === 0 ? '' : `\nthe log of this time:\n${lines.join('\n')}\n`;
  return `${head}${parts.length === 0 && body.stoppedAt === undefined ? 'no strategy runs\n' : parts.join('\n')}${log}`;
}

/** Nothing trades, whatever the recording says of the last moment. */
function stoppedText(at: number, ladders: readonly Ladder[], { paint }: WhyOptions): string {
  const rest = ladders.length === 0 ? 'no session of it is recorded' : 'as its recording ends:';
  return `${paint('yellow', `the bot is stopped; last known at ${when(at)}`)}\n${rest}\n`;
}

function ladderText({ strategy, symbol, headline, checks, limits }: Ladder, now: number, { paint, width, isAll }: WhyOptions): string {
  const found = checks.filter(({ state }) => state === 'finding');
  const first = checks.find(({ name }) => name === headline);
  const title = `${strategy} on ${symbol}`;
  if (first === undefined && !isAll) return `${title}: ${paint('green', 'nothing stops it')}\n`;
  const lines = [
    `${title}: ${first === undefined ? paint('green', 'nothing stops it') : paint('yellow', safeText(`${first.text}${ageOf(first, now)}`))}`,
  ];
  if (first !== undefined && first.fix !== '') lines.push(`  to change it: ${safeText(first.fix)}`);
  if (isAll) {
    for (const check of checks) lines.push(`  ${check.state.padEnd(8)} ${check.name.padEnd(9)} ${safeText(check.text)}`);
    for (const { rule, isAllowed, text, settings } of limits) {
      const says = isAllowed ? settings.join(', ') : text;
      lines.push(`  ${(isAllowed ? 'allows' : 'refuses').padEnd(8)} ${safeText(`${rule}  ${says}`.trimEnd())}`);
    }
  } else for (const check of found) if (check !== first) lines.push(`  also: ${safeText(`${check.text}${ageOf(check, now)}`)}`);
  return `${lines.map((line) => wrap(line, Math.max(40, width), '', '    ').join('\n')).join('\n')}\n`;
}

/** " (for 14 min)". */
function ageOf({ since }: Check, now: number): string {
  const seconds = Math.round((now - since) / 1_000);
  if (since === 0 || seconds < 1) return '';
  const text = seconds < 120 ? `${seconds} s` : seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
  return ` (for ${text})`;
}

function funnelText(ladders: readonly Ladder[], { width }: WhyOptions): string {
  const rows = ladders.map(({ strategy, symbol, funnel }) => [
    safeText(strategy),
    symbol,
    ...FUNNEL_STAGES.map((stage) => String(funnel[stage])),
  ]);
  return rows.length === 0
    ? 'no strategy runs\n'
    : table([words('strategy'), { title: 'symbol' }, ...FUNNEL_STAGES.map(numbers)], rows, width);
}

function storyText({ sentence: first, steps }: StoryAnswer, { width, isAll }: WhyOptions): string {
  const lines = steps
    .filter(({ what }) => isAll || what !== 'rules')
    .map(({ time, what, text }) => sentence(`  ${clockOf(time)}  ${what.padEnd(8)} ${text}`, width, '', '                         '));
  return `${sentence(first, width)}\n${lines.join('\n')}\n`;
}

function clockOf(time: number): string {
  return new Date(time).toISOString().slice(11, 23);
}
