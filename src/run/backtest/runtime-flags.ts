/** What the runtime's compiler is told for a backtest. It holds for the whole process, so only a program that owns its process sets it. */
import { setFlagsFromString } from 'node:v8';

/**
 * An order passes through many small functions, each called from one place. The runtime's budget for putting them into each other ends
 * in the middle; with four times as much a run is 5 to 10 % faster.
 */
const INLINING = '--max-inlined-bytecode-size-cumulative=4000';

/**
 * With that budget the last compiler is busy for tens of milliseconds with one function, which a short run never gets back. Asked ten
 * times later than by default, it has seen more, too, and less of its work is undone.
 */
const PATIENCE = '--invocation-count-for-turbofan=30000';

/**
 * Times and amounts of money are integers that are kept as doubles. By default the compiler turns both sides of a sum of such into
 * integers, adds, and turns the result back; as doubles they are added in one instruction, and an order has dozens of such sums.
 */
const PLAIN_SUMS = '--no-additive-safe-int-feedback';
/** Older compilers do not know it, and would say so on stderr. */
const KNOWS_PLAIN_SUMS = Number.parseInt(process.versions.node, 10) >= 24;

/** Before a backtest is opened, once. Nothing but speed depends on it. */
export function setRuntimeFlags(): void {
  setFlagsFromString(INLINING);
  setFlagsFromString(PATIENCE);
  if (KNOWS_PLAIN_SUMS) setFlagsFromString(PLAIN_SUMS);
}
