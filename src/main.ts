/** The process: arguments in, exit code out. Started through tickwright.js, which checks the runtime and makes starts fast. */
import { main } from './cli/main.ts';

process.exitCode = await main(process.argv.slice(2));
