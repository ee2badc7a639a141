/** The process: arguments in, exit code out. Started through tickwright.js, which checks the runtime and makes starts fast. */
import { main } from './cli/main.ts';

const exitCode = await main(process.argv.slice(2));
for (const stream of [process.stdout, process.stderr]) await new Promise((done) => void stream.write('', done));
// Output is written. Without this call, Node.js would first finish compilations that nobody needs any more.
process.exit(exitCode);
