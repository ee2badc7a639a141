/** The process: arguments in, exit code out. Started through tickwright.js, which checks the runtime and makes starts fast. */
import { afterOutput, main } from './cli/run-command-line.ts';

const exitCode = await afterOutput(await main(process.argv.slice(2)));
// Output is written. Without this call, Node.js would first finish compilations that nobody needs any more.
process.exit(exitCode);
