/** Runs the commands that operate a bot. */
import { relative } from 'node:path';
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import { shownJson } from '../../base/hidden.ts';
import type { ActAnswer, RefusalAnswer, StatusAnswer, StoryAnswer, WhyAnswer } from '../../control/answers.ts';
import { CONTROL_COMMANDS, type ControlName } from '../../control/commands.ts';
import type { ControlCommand, ControlField } from '../../control/control-command.ts';
import type { BotConfig } from '../../config/model.ts';
import type { Operated } from '../../run/bot/outside/operator-answer.ts';
import type * as Operating from '../../run/bot/outside/operate.ts';
import type { RehearseFlags } from './rehearse-command.ts';
import type { RunCommand } from '../shell/command-row.ts';
import type { CliContext, ConfigFlags } from '../shell/cli-context.ts';
import { controlText, csvOf } from './control-text.ts';
import { exitOf, exitOfRefusal, showRefusal } from './show-answer.ts';
import { configFor, folderOf } from './which-bot.ts';
import { exitCodeOf } from '../shell/print-error.ts';
import { painter, safeText, widthOf } from '../terminal/terminal.ts';

interface ControlFlags extends ConfigFlags, RehearseFlags {
  readonly state?: string;
  readonly json?: true;
}

/** What runs this command. */
export function control(name: ControlName): RunCommand {
  const table = CONTROL_COMMANDS.find((one) => one.name === name)!;
  return async (flags: ControlFlags & Readonly<Record<string, unknown>>, context: CliContext, ...words: readonly unknown[]) => {
    const given: Record<string, unknown> = {};
    let place = 0;
    for (const [key, field] of Object.entries<ControlField>(table.fields)) {
      const value = field.isFlag === true ? flags[optionKey(key, field)] : words[place++];
      if (value !== undefined) given[key] = value;
    }
    const asked = name === 'reduce-only' ? reduceOnly(given) : given;
    await run(table, flags, asked, context).catch((error: unknown) => asJson(error, flags, context));
  };
}

/** "reduce-only off" without a scope ends it for the whole bot. */
function reduceOnly(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return given['state'] === undefined && (given['scope'] === 'off' || given['scope'] === 'on') ? { state: given['scope'] } : given;
}

/** The name that commander gives the value: "--i-know" is iKnow, and "--no-follow" makes follow false. */
function optionKey(key: string, { flag }: ControlField): string {
  return (flag ?? `--${key}`).replace(/^--(no-)?/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

async function run(
  table: ControlCommand & { readonly name: ControlName },
  flags: ControlFlags,
  given: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<void> {
  const operate = await import('../../run/bot/outside/operate.ts');
  const config = await configFor(flags, context);
  const folder = folderOf(flags, config, table.acts);
  if (table.name === 'reload' && (flags.rehearse === true || flags.shadow !== undefined)) {
    const { rehearsed } = await import('./rehearse-command.ts');
    const { strategy } = given;
    const taken = await rehearsed(folder, typeof strategy === 'string' ? strategy : '', flags, context);
    if (taken === null) return;
    return run(table, { ...flags, rehearse: undefined, shadow: undefined }, { ...given, ...taken }, context);
  }
  if (table.shown === 'lines') return follow(folder, table.name, given, flags, context, operate);
  const answer = await (table.name === 'why' ? whyOf(folder, given, config) : operate.operate(folder, table.name, given, config));
  const { io } = context;
  const isFound = config === null && flags.state === undefined && flags.json !== true;
  if (isFound && table.shown === 'tables') io.stderr.write(`the bot in ${safeText(relative(process.cwd(), folder))}\n`);
  const code = exitOf(answer);
  if (answer.isRefused) {
    if (flags.json) io.stdout.write(`${shownJson(answer.body)}\n`);
    else showRefusal(answer, io);
    return context.exit(code);
  }
  const rows = table.shown === 'rows' ? (answer.body as { rows: readonly Record<string, unknown>[] }).rows : null;
  if (flags.json) io.stdout.write(`${shownJson(rows ?? answer.body)}\n`);
  else if (rows !== null) io.stdout.write(csvOf(rows));
  else if (table.name === 'why') io.stdout.write(await whyAnswer(answer.body, given, context));
  else
    io.stdout.write(
      controlText(table.name, answer.body, {
        isStopped: answer.by === 'stopped',
        paint: painter(io.stdout.columns !== undefined, context.env),
        width: widthOf(io.stdout),
      }),
    );
  if (code !== exitCode.partly) return context.exit(code);
  const { flattens } = answer.body as ActAnswer;
  const isFollowed = flattens !== undefined && answer.by === 'running' && flags.json !== true && given['wait'] === undefined;
  if (!isFollowed || !(await untilFlat(flattens))) context.exit(exitCode.partly);

  async function untilFlat(scope: string): Promise<boolean> {
    const { followFlattening } = await import('./follow.ts');
    const look = async (): Promise<StatusAnswer | null> => {
      const { by, body } = await operate.operate(folder, 'status', {}, config);
      return by === 'running' ? (body as StatusAnswer) : null;
    };
    return followFlattening({ scope, look, print: (line) => void io.stdout.write(line), width: widthOf(io.stdout) });
  }
}

async function whyOf(folder: string, given: Readonly<Record<string, unknown>>, config: BotConfig | null): Promise<Operated> {
  const { why } = await import('../../run/why/why.ts');
  return why(folder, given, config);
}

async function whyAnswer(body: object, given: Readonly<Record<string, unknown>>, { io, env }: CliContext): Promise<string> {
  const { whyText } = await import('./why-text.ts');
  const paint = painter(io.stdout.columns !== undefined, env);
  const [isFunnel, isAll] = [given['funnel'] === true, given['all'] === true];
  return whyText(body as WhyAnswer | StoryAnswer, { paint, width: widthOf(io.stdout), isFunnel, isAll });
}

/** With `--json` the error is printed as JSON too. @throws the error otherwise */
function asJson(error: unknown, { json }: ControlFlags, context: CliContext): void {
  if (json !== true || !(error instanceof Failure)) throw error;
  const { failure, message, problems, kind } = error;
  const code = kind === 'absent' ? 'not-running' : 'bad-request';
  const answer = { ok: false, code, failure, message, hint: problems[0]?.hint ?? '' } satisfies RefusalAnswer;
  context.io.stdout.write(`${shownJson(answer)}\n`);
  context.exit(exitCodeOf(error));
}

/** Prints the lines of `tail` or `events` until the bot or the person ends it. */
async function follow(
  folder: string,
  name: ControlName,
  given: Readonly<Record<string, unknown>>,
  flags: ControlFlags,
  context: CliContext,
  operate: typeof Operating,
): Promise<void> {
  const { io, env } = context;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const isTerminal = io.stdout.columns !== undefined;
  const { since } = given;
  const isFollowed = given['follow'] !== false;
  const begin = typeof since === 'string' ? `since ${since}` : 'from now on';
  const isLog = name === 'tail';
  if (isTerminal && isFollowed && isLog) io.stderr.write(`log lines of the bot in ${safeText(folder)} ${safeText(begin)}; Ctrl-C ends\n`);
  const form = flags.json || !isLog ? 'json' : painter(isTerminal, env)('dim', '') === '' ? 'plain' : 'coloured';
  const { cause, said, code } = await operate.followBot(folder, name, given, form, (text) => void io.stdout.write(text), stop.signal);
  const { done, notRunning, silent } = exitCode;
  switch (cause) {
    case 'absent':
      io.stderr.write(`error: no bot listens at ${safeText(folder)}\n`);
      return context.exit(notRunning);
    case 'silent':
      io.stderr.write(`error: ${said}\n`);
      return context.exit(silent);
    case 'refused':
      io.stderr.write(`error: ${safeText(said)}\n`);
      return context.exit(exitOfRefusal(code));
    case 'ended':
      if (isFollowed) io.stderr.write('the bot ended\n');
      return context.exit(done);
    case 'asked':
      return context.exit(done);
  }
}
