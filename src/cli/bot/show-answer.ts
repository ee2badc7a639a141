/** Shows a person at a terminal what a bot answered to a command, and sets the exit code. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import type { RefusalAnswer } from '../../control/answers.ts';
import type { Operated } from '../../run/bot/outside/operator-answer.ts';
import type { Io } from '../../run/setup/options.ts';
import { safeText } from '../terminal/terminal.ts';
import { isActAnswer } from './control-text.ts';

/** Refusals of a command line that names something that does not exist, or is not a command line of the bot. */
const NAMED_WRONG: ReadonlySet<string> = new Set(['bad-request', 'no-such-command', 'no-such-scope', 'no-such-order', 'no-such-strategy']);

/** Prints why the command was not carried out. */
export function showRefusal({ body }: Operated, { stderr }: Pick<Io, 'stderr'>): void {
  const { message, hint } = body as RefusalAnswer;
  stderr.write(`error: ${safeText(message)}\n${hint === '' ? '' : `  ${safeText(hint)}\n`}`);
}

/** `partly`: the command has not taken full effect. */
export function exitOf({ by, body, isRefused }: Operated): number {
  if (isRefused && by === 'nobody') return exitCode.notRunning;
  if (isRefused && by !== 'silent' && by !== 'lost') return exitOfRefusal((body as RefusalAnswer).code);
  if (by === 'silent' || by === 'lost') return exitCode.silent;
  if (by === 'recorded') return exitCode.recorded;
  return isActAnswer(body) && !body.isDone ? exitCode.partly : exitCode.done;
}

export function exitOfRefusal(code: string): number {
  return NAMED_WRONG.has(code) ? exitCode.usage : exitCode.refused;
}
