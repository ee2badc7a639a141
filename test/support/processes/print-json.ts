/** Prints what the commands of json-runs.ts print, in a process of its own: some load strategies, which freezes what tests change. */
import { printedByBot, printedByResearch } from './json-runs.ts';

const [folder = '', which] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await (which === 'research' ? printedByResearch : printedByBot)(folder)));
