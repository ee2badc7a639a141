/** `status --all` and `kill --all`: all bots of a user at the same time. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import { counted } from '../../base/text/figures.ts';
import { ALARMS, type KillRow } from '../../control/hub.ts';
import { lookAtAll, type WhichBots } from '../../run/hub/all-bots.ts';
import { effectOfKill, killAll } from '../../run/hub/kill-all.ts';
import { nameOfBot, type Look } from '../../run/hub/look.ts';
import { overviewOf } from '../../run/hub/overview.ts';
import type { RunCommand } from '../shell/command-row.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { asked } from '../terminal/question.ts';
import { fitted, painter, safeText, widthOf } from '../terminal/terminal.ts';
import { killText, overviewText, rehearsedText } from './hub-text.ts';
import { printJson } from '../shell/print-json.ts';

interface AllFlags {
  /** True without folders. */
  readonly all?: true | readonly string[];
  readonly json?: true;
  readonly yes?: true;
  readonly rehearse?: true;
  readonly why?: string;
  readonly wait?: number;
}

/** Runs the command for all bots if `--all` was given, else `one`. */
export function forAll(name: 'status' | 'kill', one: RunCommand): RunCommand {
  return (flags: AllFlags, context: CliContext, ...words: never[]) => {
    if (flags.all === undefined) return one(flags as never, context, ...words);
    const which = { cwd: process.cwd(), env: context.env, named: flags.all === true ? [] : flags.all };
    return name === 'status' ? statusOfAll(which, flags, context) : killOfAll(which, flags, context);
  };
}

async function statusOfAll(which: WhichBots, { json }: AllFlags, context: CliContext): Promise<void> {
  const { io, env } = context;
  const overview = overviewOf(await lookAtAll(which), Date.now());
  if (json === true) printJson(io, 'status', overview);
  else io.stdout.write(overviewText(overview, { paint: painter(io.stdout.columns !== undefined, env), width: widthOf(io.stdout) }));
  const { bots } = overview;
  if (bots.some(({ state }) => state === 'silent')) return context.exit(exitCode.silent);
  if (bots.some(({ state }) => ALARMS.has(state)) || bots.length === 0) context.exit(exitCode.notRunning);
}

async function killOfAll(which: WhichBots, flags: AllFlags, context: CliContext): Promise<void> {
  const { io, env } = context;
  const { json, why, wait } = flags;
  const given = { ...(why === undefined ? {} : { why }), ...(wait === undefined ? {} : { wait }) };
  const first = await lookAtAll(which);
  if (first.length === 0) {
    io.stderr.write('error: no bot runs here\n  name their state folders: tickwright kill --all FOLDER…\n');
    return context.exit(exitCode.notRunning);
  }
  const list = io.asks ?? io.stderr;
  for (const look of first) {
    const effect = `${safeText(nameOfBot(look))}  ${safeText(look.folder)}\n  ${safeText(effectOfKill(look))}\n`;
    list.write(fitted(effect, list));
  }
  if (flags.rehearse === true) return rehearseAll(first, flags, context);
  await confirm(first.length, flags.yes === true);
  const rows: KillRow[] = [];
  // Bots that start meanwhile are killed as well.
  for (let next: readonly Look[] = first; next.length > 0; next = (await lookAtAll(which)).filter(({ folder }) => !isIn(rows, folder)))
    rows.push(...(await killAll(next, given)));
  if (json === true) printJson(io, 'kill', rows);
  else io.stdout.write(killText(rows, { paint: painter(io.stdout.columns !== undefined, env), width: widthOf(io.stdout) }));
  context.exit(codeOf(rows));
}

/** What a kill would do to each bot; nothing is sent. One that gives no answer cannot be asked, and is named. */
async function rehearseAll(looks: readonly Look[], { json }: AllFlags, context: CliContext): Promise<void> {
  const { io, env } = context;
  const running = looks.filter(({ state }) => state === 'running');
  const answered = await killAll(running, { rehearse: true });
  const rows = looks.map((look) => answered[running.indexOf(look)] ?? unasked(look));
  if (json === true) printJson(io, 'kill', rows);
  else io.stdout.write(rehearsedText(rows, { paint: painter(io.stdout.columns !== undefined, env), width: widthOf(io.stdout) }));
  context.exit(codeOf(rows));
}

/** A bot that does not run has the outcome of a kill: it is recorded for its next start. */
function unasked(look: Look): KillRow {
  const did = [`it cannot be asked now: ${effectOfKill(look)}`];
  const outcome = look.state === 'stopped' || look.state === 'killed' ? 'recorded' : 'silent';
  return { bot: nameOfBot(look), folder: look.folder, outcome, tookMs: 0, did, open: [] };
}

function isIn(rows: readonly KillRow[], folder: string): boolean {
  return rows.some((row) => row.folder === folder);
}

/** The gravest outcome of any bot. */
function codeOf(rows: readonly KillRow[]): number {
  const { done, failed, partly, recorded, refused, silent } = exitCode;
  const codes = { failed, refused, silent, recorded, partly, done } as const;
  const found = (Object.keys(codes) as (keyof typeof codes)[]).find((outcome) => rows.some((row) => row.outcome === outcome));
  return codes[found ?? 'done'];
}

/** @throws Failure if the person does not say yes, or nobody can be asked */
async function confirm(bots: number, isYes: boolean): Promise<void> {
  if (isYes) return;
  const words = `kill ${counted(bots, 'bot')}`;
  const refusal = (what: string): Failure => new Failure('command-line', { what, hint: 'nothing was done; --yes does not ask' });
  const typed = await asked(`Type "${words}" to do it: `);
  if (typed === null) throw refusal(`expected "${words}" typed at a terminal, or --yes`);
  if (typed.trim() !== words) throw refusal(`expected "${words}", found ${JSON.stringify(typed.slice(0, 50))}`);
}
