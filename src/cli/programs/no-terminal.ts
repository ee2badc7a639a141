/** The context of a command that a program calls: nothing is printed, and no variable of the environment counts. */
import type { CliContext } from '../shell/cli-context.ts';

const nowhere = { write: () => undefined };
const live = { update: () => undefined, write: () => undefined, end: () => undefined };

/** What comes out depends on the arguments alone. */
export const NO_TERMINAL: CliContext = {
  io: { stdout: nowhere, stderr: nowhere, isTty: false, live },
  env: {},
  exit: () => undefined,
};
