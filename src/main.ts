/** The process: arguments in, exit code out. Compiled code is cached before anything else loads, which halves every later start. */
import * as nodeModule from 'node:module';

nodeModule.enableCompileCache?.();
const { main } = await import('./cli/main.ts');
process.exitCode = await main(process.argv.slice(2));
