/** Prints what the commands of json-runs.ts print, in a process of its own: some load strategies, which freezes what tests change. */
import { printedBy } from './json-runs.ts';

process.stdout.write(JSON.stringify(await printedBy(process.argv[2] ?? '')));
