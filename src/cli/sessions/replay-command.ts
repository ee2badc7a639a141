/** `replay`: repeats recorded sessions of a bot event by event and compares the result with the recording. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import { shownJson } from '../../base/hidden.ts';
import type { Place } from '../../run/replay/session-place.ts';
import type { Replayed } from '../../run/replay/replay.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { tellWritten } from '../shell/show-result.ts';
import { fitted, safeText } from '../terminal/terminal.ts';
import { whatIfText } from './what-if-text.ts';
import { printJson } from '../shell/print-json.ts';

interface ReplayFlags {
  readonly until?: string;
  readonly with?: string;
  readonly fromSnapshot?: string;
  readonly html?: string;
  readonly answers?: true;
  readonly param?: Readonly<Record<string, string>>;
  readonly json?: true;
}

export async function runReplay(flags: ReplayFlags, context: CliContext, path: string): Promise<void> {
  const until = placeOf(flags.until, '--until');
  const fromSnapshot = flags.fromSnapshot === undefined ? undefined : placeOf(flags.fromSnapshot, '--from-snapshot');
  const isWhatIf = flags.with !== undefined || fromSnapshot !== undefined;
  const { answersOf, replaySession, sessionsOf } = await import('../../run/replay/replay.ts');
  const { whatIf } = await import('../../run/replay/what-if.ts');
  const { isBox, withBox } = await import('../../run/blackbox/box-file.ts');
  if (isBox(path)) {
    return withBox(path, async (session, { replays }) => {
      await runReplay(flags, context, session);
      if (!replays) context.io.stderr.write('the box ends before its session, where it began to differ: `blackbox` said `replays: no`\n');
    });
  }
  const sessions = sessionsOf(path);
  if ((isWhatIf || flags.html !== undefined) && sessions.length > 1) throw oneSession(sessions);
  if (isWhatIf && flags.html !== undefined) {
    throw new Failure('command-line', { what: 'expected --html without --with and --from-snapshot', where: '--html' });
  }
  let isEqual = true;
  for (const session of sessions) {
    if (flags.answers) {
      for (const { at, endpoint, status, body } of answersOf(session)) {
        context.io.stdout.write(`${shownJson({ at: new Date(at).toISOString(), endpoint, status, body })}\n`);
      }
    } else if (isWhatIf) {
      const found = await whatIf(session, { until, params: flags.param, with: flags.with, fromSnapshot });
      isEqual &&= found.simulated === null;
      const { instruments: _instruments, ...shown } = found;
      if (flags.json) printJson(context.io, 'replay', shown);
      else context.io.stdout.write(fitted(safeText(whatIfText(found)), context.io.stdout));
    } else {
      const replayed = await replaySession(session, { until, params: flags.param, html: flags.html });
      isEqual &&= replayed.divergence === null;
      tellWritten(context.io, flags.html);
      if (flags.json) printJson(context.io, 'replay', replayed);
      else context.io.stdout.write(fitted(safeText(textOf(replayed)), context.io.stdout));
    }
  }
  context.exit(isEqual ? exitCode.done : exitCode.failed);
}

function oneSession(sessions: readonly string[]): Failure {
  return new Failure('command-line', {
    what: `expected one session with --with, --from-snapshot and --html, found ${sessions.length}`,
    where: '<session>',
    hint: `name one of them, such as ${sessions.at(-1) ?? ''}`,
  });
}

/** @throws Failure (usage) */
function placeOf(text: string | undefined, where: string): Place {
  if (text === undefined) return {};
  if (/^\d{1,15}$/.test(text)) return { event: Number(text) };
  const time = Date.parse(text);
  if (Number.isFinite(time)) return { time };
  throw new Failure('command-line', {
    what: `expected the number of an event or a time such as 2026-01-31T10:00:00Z, found ${text}`,
    where,
  });
}

const ENDS: Readonly<Record<Replayed['end'], string>> = {
  stopped: 'to the end',
  failed: 'to the error that ended it',
  open: 'as far as it goes',
};

function textOf({ session, startedAt, endedAt, events, commands, questions, records, end, cut, divergence, changes }: Replayed): string {
  const took = ((endedAt - startedAt) / 1000).toFixed(1);
  const counts = `${events} events, ${commands} commands, ${questions} questions, ${records} journal records`;
  const lines = [session, `  ${divergence === null ? `equal ${ENDS[end]}` : 'NOT EQUAL'}: ${counts}`, `  the session took ${took} s`];
  if (cut !== null) lines.push(`  cut: ${cut.bytes} bytes at ${cut.offset} of ${cut.file} are not whole and were left out`);
  if (divergence !== null) {
    const { event, at, kind, expected, found } = divergence;
    lines.push(`  first difference after event ${event} (${kind}) at ${new Date(at).toISOString()}`);
    lines.push(`    recorded: ${expected}`, `    replayed: ${found}`);
  }
  if (divergence !== null || changes.length > 0) {
    const none = 'no file, version or parameter was changed: the strategy depends on something outside its events';
    for (const change of changes.length > 0 ? changes : [none]) lines.push(`  ${changes.length > 0 ? 'changed: ' : ''}${change}`);
  }
  return `${lines.join('\n')}\n`;
}
