/** `blackbox`: a session as one file that may be sent. `shrink`: a session, or such a file, as the smallest test that shows a fault. */
import { shellWord } from '../../run/setup/shell-word.ts';
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import { counted } from '../../base/text/figures.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { fitted, safeText } from '../terminal/terminal.ts';
import { printJson } from '../shell/print-json.ts';

interface BlackboxFlags {
  readonly out: string;
  readonly intents?: true;
  readonly json?: true;
}

interface ShrinkFlags {
  readonly out: string;
  readonly fault?: string;
  readonly json?: true;
}

export async function runBlackbox({ out, intents, json }: BlackboxFlags, context: CliContext, path: string): Promise<void> {
  const { makeBox } = await import('../../run/blackbox/make-box.ts');
  const made = await makeBox({ session: await oneSession(path), out, isIntents: intents === true });
  const { holds, replays, why } = made;
  const lines = ['it holds:', ...holds.map((one) => `  ${one}`), `replays: ${replays ? 'yes' : 'no'}`, ...(why === '' ? [] : [`  ${why}`])];
  if (json) printJson(context.io, 'blackbox', made);
  else context.io.stdout.write(fitted(safeText(`Written: ${out}\n${lines.join('\n')}\n`), context.io.stdout));
  if (!replays) context.exit(exitCode.failed);
}

export async function runShrink({ out, fault, json }: ShrinkFlags, context: CliContext, path: string): Promise<void> {
  const [{ isBox }, { shrink }] = await Promise.all([import('../../run/blackbox/box-file.ts'), import('../../run/blackbox/shrink.ts')]);
  const from = isBox(path) ? path : await oneSession(path);
  const shrunk = await shrink({ from, out, fault });
  const { before, after, files } = shrunk;
  if (json) return printJson(context.io, 'shrink', shrunk);
  context.io.stdout.write(
    safeText(
      `${shrunk.fault}\n  shown by ${counted(after, 'event')} of ${before}\n  written: ${files.join(', ')}\n  node --test ${shellWord(files[0]!)} fails until the fault is mended\n`,
    ),
  );
}

/** @throws Failure if the path names none, or several */
async function oneSession(path: string): Promise<string> {
  const { sessionsOf } = await import('../../run/replay/replay.ts');
  const sessions = sessionsOf(path);
  if (sessions.length === 1) return sessions[0]!;
  throw new Failure('command-line', {
    what: `expected one session, found ${sessions.length}`,
    where: '<session>',
    hint: `name one of them, such as ${sessions.at(-1)}`,
  });
}
