/** `reload --rehearse` and `--shadow`: what the text on disk would have done, or does from now on, and whether a person takes it. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import { counted } from '../../base/text/figures.ts';
import { durationOf, formatDuration } from '../../base/time/duration.ts';
import type { Rehearsal } from '../../run/change/rehearse-text.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { asked } from '../terminal/question.ts';
import { safeText } from '../terminal/terminal.ts';

export interface RehearseFlags {
  readonly rehearse?: true | undefined;
  readonly shadow?: string | undefined;
  readonly yes?: true;
}

/** Sessions that are rehearsed. */
const SESSIONS = 3;
/** The recording is at most this far behind. */
const BEHIND_MS = 1_500;
const SHADOW_MOST_MS = 86_400_000;

/** The text that a person takes: strategy and sha256. null if nothing is to be reloaded; the exit code says why. @throws Failure */
export async function rehearsed(
  folder: string,
  name: string,
  flags: RehearseFlags,
  context: CliContext,
): Promise<{ readonly strategy: string; readonly sha256: string } | null> {
  const { io } = context;
  const { shadow } = flags;
  const shadowMs = shadow === undefined ? 0 : durationOf(shadow);
  if (shadow !== undefined && !(shadowMs > 0 && shadowMs <= SHADOW_MOST_MS))
    throw new Failure('command-line', {
      what: `expected a time above 0 and of at most a day such as 10m, found ${shadow}`,
      where: '--shadow',
    });
  const { sessionsOf } = await import('../../run/replay/replay.ts');
  const { rehearse, textOnDisk } = await import('../../run/change/rehearse-text.ts');
  const sessions = (): readonly string[] => sessionsOf(join(folder, 'sessions'));
  const earlier = sessions();
  const { strategy, source } = await textOnDisk(earlier.at(-1)!, name);
  const from = shadowMs > 0 ? Date.now() : 0;
  if (shadowMs > 0) {
    io.stderr.write(
      `${safeText(strategy)}: the text ${source.sha256.slice(0, 12)} is compared over ${formatDuration(shadowMs)}; Ctrl-C ends it, and nothing changes\n`,
    );
    await sleep(shadowMs + BEHIND_MS);
  }
  const found: Rehearsal[] = [];
  // A bot that was started again in that time has more sessions of it.
  for (const session of shadowMs > 0 ? sessions().slice(earlier.length - 1) : earlier.slice(-SESSIONS)) {
    const one = await rehearse({ session, strategy, source, from });
    if (one === null) continue;
    found.push(one);
    io.stdout.write(safeText(rehearsalText(one)));
  }
  const failed = found.find((one) => one.failed !== '');
  if (found.length === 0 || failed !== undefined) {
    io.stderr.write(
      `error: ${failed === undefined ? 'no strategy ran in the time that is compared' : `the text would not run: ${safeText(failed.failed)}`}\n  nothing was changed\n`,
    );
    context.exit(exitCode.refused);
    return null;
  }
  if (flags.yes === true || (await isTaken(context))) return { strategy, sha256: source.sha256 };
  io.stderr.write('nothing was changed; --yes takes the text without a question\n');
  context.exit(exitCode.partly);
  return null;
}

async function isTaken({ io }: CliContext): Promise<boolean> {
  if (io.stdout.columns === undefined) return false;
  const answer = await asked('Give it to the running bot? [y/N] ');
  return answer !== null && /^y(es)?$/i.test(answer.trim());
}

function rehearsalText({ session, from, to, recorded, before, next, failed, differences, first }: Rehearsal): string {
  const line = (
    name: string,
    { orders, fills, profit }: { readonly orders: number; readonly fills?: number; readonly profit: string },
  ): string =>
    `  ${name.padEnd(14)}${counted(orders, 'order')}${fills === undefined ? '' : `, ${counted(fills, 'fill')}`}, profit ${profit}`;
  return [
    session,
    `  from ${timeOf(from)} to ${timeOf(to)}; recorded, and from a simulated venue with the recorded market:`,
    line('recorded', recorded),
    line('text before', before),
    line('text on disk', next),
    ...(failed === '' ? [] : [`  the text on disk fails: ${failed}`]),
    differences === 0 ? '  the same orders at the same times' : `  ${counted(differences, 'order')} of one text alone; the first:`,
    ...first.map(({ time, by, order }) => `    ${timeOf(time)} ${by === 'new' ? 'text on disk' : 'text before '} ${order}`),
    '',
  ].join('\n');
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
