/** `verify`: tries to show that the backtest of a strategy cannot be believed. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import type { VerifyRow } from '../../run/verify/verify.ts';
import { withParams, type CliContext } from '../shell/cli-context.ts';
import { table, words } from '../../report/document/text-table.ts';
import { painter, safeText, widthOf, type Colour } from '../terminal/terminal.ts';
import { wholeRunOptions, type WholeRunFlags } from './whole-runs.ts';
import { printJson } from '../shell/print-json.ts';

interface VerifyFlags extends WholeRunFlags {
  readonly json?: true;
  readonly moments: number;
}

const COLOURS: Readonly<Record<VerifyRow['verdict'], Colour>> = { passed: 'green', warned: 'yellow', failed: 'red', 'not tried': 'dim' };

export async function runVerify(flags: VerifyFlags, context: CliContext): Promise<void> {
  const options = await wholeRunOptions(flags, context);
  const [{ guardStrategies }, { verify }] = await Promise.all([import('../../run/guard/guard.ts'), import('../../run/verify/verify.ts')]);
  guardStrategies(options.config, { isLive: false });
  const { stdout } = context.io;
  const paint = painter(stdout.columns !== undefined, context.env);
  const width = widthOf(stdout);
  const print = ({ name, verdict, text }: VerifyRow): void => {
    const columns = [{ title: '' }, { title: '' }, words('')];
    stdout.write(table(columns, [[paint(COLOURS[verdict], verdict.padEnd(9)), name.padEnd(11), safeText(text)]], width));
  };
  const report = await withParams(flags, () => verify({ ...options, moments: flags.moments }, flags.json ? () => undefined : print));
  if (flags.json) printJson(context.io, 'verify', report);
  context.exit(report.isPassed ? exitCode.done : exitCode.failed);
}
