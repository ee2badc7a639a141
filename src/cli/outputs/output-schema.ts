/** The schemas of what commands print with `--json`: outputs.json, which `npm run schemas` writes from what a real bot answers. */
import { readFileSync } from 'node:fs';
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';

/** By command. */
export function outputSchemas(): Readonly<Record<string, object>> {
  return JSON.parse(readFileSync(new URL('./outputs.json', import.meta.url), 'utf8')) as Record<string, object>;
}

/** The schema of the output of a command, complete. @throws Failure (usage) */
export function outputSchema(command: string): object {
  const all = outputSchemas();
  const schema = Object.hasOwn(all, command) ? all[command] : undefined;
  if (schema !== undefined)
    return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: `tickwright ${command} --json`, ...schema };
  throw new Failure('flag-value', {
    what: `expected a command whose output has a schema, found "${command}"`,
    where: 'command',
    hint: didYouMean(command, Object.keys(all)) ?? `there are ${Object.keys(all).join(', ')}`,
  });
}
