/** The schemas of what commands print with `--json`: outputs.json, which `npm run docs` derives from the types in outputs.ts. */
import { readFileSync } from 'node:fs';
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';

/** A JSON Schema (2020-12) of the words that are used here. */
export interface Schema {
  readonly $schema?: string;
  readonly title?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** By command, and the types that they share. */
export interface Schemas {
  readonly commands: Readonly<Record<string, Schema>>;
  readonly $defs: Readonly<Record<string, Schema>>;
}

export function storedSchemas(): Schemas {
  return JSON.parse(readFileSync(new URL('./outputs.json', import.meta.url), 'utf8')) as Schemas;
}

/** The schema of the output of a command, complete. @throws Failure (usage) */
export function outputSchema(command: string, { commands, $defs }: Schemas = storedSchemas()): Schema {
  const schema = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (schema !== undefined) {
    const names = namesIn(schema, $defs);
    const shared = names.length === 0 ? {} : { $defs: Object.fromEntries(names.map((name) => [name, $defs[name]!])) };
    return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: `tickwright ${command} --json`, ...schema, ...shared };
  }
  throw new Failure('flag-value', {
    what: `expected a command whose output has a schema, found "${command}"`,
    where: 'command',
    hint: didYouMean(command, Object.keys(commands)) ?? `there are ${Object.keys(commands).join(', ')}`,
  });
}

/** Names of the types that a schema uses, and of those that these use. */
function namesIn(schema: Schema, $defs: Schemas['$defs']): readonly string[] {
  const found = new Set<string>();
  const look = (part: Schema): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/\$defs\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      look($defs[name]!);
    }
  };
  look(schema);
  return [...found].toSorted();
}
