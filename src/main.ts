/** The process: arguments in, exit code out. Started through tickwright.js, which checks the runtime and makes starts fast. */
import { main } from './cli/main.ts';

const exitCode = await main(process.argv.slice(2));
for (const stream of [process.stdout, process.stderr]) await new Promise((done) => void stream.write('', done));
// All is done and said. Left to itself, the runtime would first compile what it still has in hand.
process.exit(exitCode);
