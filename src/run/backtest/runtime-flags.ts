/** V8 flags for a backtest. They apply to the whole process, so only the command line sets them. */
import { setFlagsFromString } from 'node:v8';

/**
 * The order path consists of many small functions, and V8's default budget for inlining them is too small: with it, an order takes a fifth
 * longer. The second number is where V8 stops to look for more.
 */
const INLINING = ['--max-inlined-bytecode-size-cumulative=6000', '--max-inlined-bytecode-size-absolute=7000'];

/**
 * With that budget the optimising compiler needs tens of milliseconds for one function, too much for a short run. It starts ten times later
 * than by default, when it also has more type feedback and deoptimises less. Each thread of a search compiles for itself, a third of its time
 * if its trials are short: there it waits four times longer again.
 */
const PATIENCE = { run: 30_000, search: 120_000 };

/**
 * Times and money are integers stored as doubles. By default V8 converts both operands of a sum to integers and the result back. Adding them
 * as doubles takes one instruction, and an order has dozens of such sums.
 */
const PLAIN_SUMS = '--no-additive-safe-int-feedback';
/** Older versions do not know this flag and would print a warning. */
const KNOWS_PLAIN_SUMS = Number.parseInt(process.versions.node, 10) >= 24;

/** Sets the flags for one run, or for the trials of a search. Call once before a backtest is opened. They only affect speed. */
export function setRuntimeFlags(what: keyof typeof PATIENCE = 'run'): void {
  for (const flag of INLINING) setFlagsFromString(flag);
  setFlagsFromString(`--invocation-count-for-turbofan=${PATIENCE[what]}`);
  if (KNOWS_PLAIN_SUMS) setFlagsFromString(PLAIN_SUMS);
}
