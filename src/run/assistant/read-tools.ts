/**
 * The tools by which an assistant reads of a bot: control commands that act on nothing, the newest lines of the log, sessions, stored
 * reports.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { CONTROL_COMMANDS, type ControlName } from '../../control/commands.ts';
import type { ControlField } from '../../control/control-command.ts';
import type { BotConfig } from '../../config/model.ts';
import type { Tool } from '../../edge/mcp/serve.ts';
import { followBot, operate } from '../bot/outside/operate.ts';
import { Pasts } from '../past/pasts.ts';
import { readResult } from '../report/report-files.ts';
import { resultText } from './result-text.ts';

/** Where a bot is. */
export interface BotPlace {
  readonly folder: string;
  /** Null without `--config`. */
  readonly config: BotConfig | null;
}

/** None of them acts, and none replays a session, because a replay runs the code of strategies. */
const READS = ['status', 'positions', 'orders', 'fills', 'pnl', 'limits', 'why'] as const satisfies readonly ControlName[];
/** Fields of these commands that need a replay, or give text for people. */
const LEFT_OUT: ReadonlySet<string> = new Set(['at']);
const LINES_MOST = 300;

/** Reads a running bot, or the files of a stopped one. @throws Failure if the bot refuses it or is not there */
export async function readBot(
  { folder, config }: BotPlace,
  name: (typeof READS)[number],
  given: Readonly<Record<string, unknown>>,
): Promise<object> {
  const { by, body, isRefused } = await operate(folder, name, given, config);
  if (!isRefused) return by === 'running' ? body : { ...body, note: 'the bot does not run: this is what its files say' };
  const { message, hint } = body as { readonly message: string; readonly hint: string };
  throw new Failure('command-line', { what: hint === '' ? message : `${message}; ${hint}` });
}

export function readTools(place: BotPlace, reports: string | null): readonly Tool[] {
  return [
    ...READS.map((name) => commandTool(place, name)),
    logTool(place),
    sessionsTool(place),
    ...(reports === null ? [] : [reportsTool(reports)]),
  ];
}

function commandTool(place: BotPlace, name: (typeof READS)[number]): Tool {
  const { summary, does, answers, fields } = CONTROL_COMMANDS.find((one) => one.name === name)!;
  const kept = Object.entries<ControlField>(fields).filter(([key]) => !LEFT_OUT.has(key));
  return {
    name,
    description: `${summary}. ${does.slice(0, 2).join(' ')} ${answers}`,
    fields: Object.fromEntries(kept),
    isReading: true,
    call: (given) => readBot(place, name, given),
  };
}

function logTool({ folder }: BotPlace): Tool {
  return {
    name: 'log',
    description: `The newest lines of the log, at most ${LINES_MOST}. Running bots only.`,
    fields: {
      since: { kind: 'text', isOptional: true, doc: 'begin there: 10m ago (the default), or a time in UTC such as 2026-11-22T08:00' },
    },
    isReading: true,
    async call({ since = '10m' }, { signal }) {
      const lines: unknown[] = [];
      const take = (text: string): void => void lines.push(JSON.parse(text));
      const { cause, said } = await followBot(folder, 'tail', { since, follow: false }, 'json', take, signal);
      if (cause === 'ended' || cause === 'asked')
        return { lines: lines.slice(-LINES_MOST), leftOut: Math.max(0, lines.length - LINES_MOST) };
      throw new Failure('bot-missing', { what: said === '' ? 'no bot runs' : said });
    },
  };
}

function sessionsTool({ folder }: BotPlace): Tool {
  return {
    name: 'sessions',
    description: 'Recorded sessions of the bot, newest first: one for each of its starts.',
    fields: {},
    isReading: true,
    call: async () => ({ sessions: new Pasts(join(folder, 'sessions')).list() }),
  };
}

function reportsTool(folder: string): Tool {
  const files = (): string[] =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.json'))
          .sort()
      : [];
  return {
    name: 'reports',
    description: 'Stored results of backtests and searches (`--out FILE`). Without `name` the list; with it the figures.',
    fields: { name: { kind: 'text', isOptional: true, doc: 'a file of the list' } },
    isReading: true,
    async call({ name }) {
      if (typeof name !== 'string') return { reports: files() };
      if (!files().includes(name)) throw new Failure('path-missing', { what: `there is no report ${basename(name)}` });
      return { text: resultText(readResult(join(folder, name))) };
    },
  };
}
