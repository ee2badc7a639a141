/** Command lines with `--json`, typed on a bot that holds a position, and the schema that fits what they print. */
import { join } from 'node:path';
import { main } from '../../../src/cli/run-command-line.ts';

/** The words of the command line; OUT stands for a file. Later ones find what earlier ones left. */
const RUNS: readonly (readonly string[])[] = [
  ['status'],
  ['why'],
  ['why', '--all'],
  ['why', '--funnel'],
  ['why', '1'],
  ['orders'],
  ['positions'],
  ['fills'],
  ['pnl'],
  ['pnl', '--by', 'strategy'],
  ['pnl', '--by', 'symbol'],
  ['limits'],
  ['halt', 'BTCUSDT', '--why', 'a try'],
  ['status'],
  ['why'],
  ['resume', 'BTCUSDT'],
  ['reduce-only', '--why', 'a try'],
  ['reduce-only', 'off'],
  ['set', 'holder', 'size=0.2'],
  ['signal', 'holder', 'text'],
  ['settle', '1', 'not-landed'],
  ['add', 'ETHUSDT'],
  ['remove', 'ETHUSDT'],
  ['reload', 'holder'],
  ['cancel-all'],
  ['orders'],
  ['backup', 'OUT'],
  ['rotate-epoch'],
  ['tail', '--since', '10m', '--no-follow'],
  ['export', 'fills'],
  ['export', 'orders'],
  ['export', 'trades'],
  ['flatten', '--rehearse'],
  ['flatten'],
  ['positions'],
  ['kill', '--why', 'a try'],
];

/** A value that a command printed. */
export interface Printed {
  readonly command: string;
  readonly line: string;
  readonly value: unknown;
}

/** Types all of them on the bot whose folder is "bot" in `folder`. @throws Error if the output is no JSON */
export async function printedBy(folder: string): Promise<Printed[]> {
  const all: Printed[] = [];
  for (const words of RUNS) {
    let out = '';
    const stdout = { write: (text: string) => void (out += text), columns: undefined };
    const stderr = { write: () => undefined, columns: undefined };
    const live = { update: () => undefined, write: () => undefined, end: () => undefined };
    const args = words.map((word) => (word === 'OUT' ? join(folder, 'copy.gz') : word));
    await main([...args, '--json', '--state', join(folder, 'bot')], { stdout, stderr, isTty: false, live });
    const line = words.join(' ');
    // One object, or a line for each.
    const texts = words[0] === 'tail' ? out.trimEnd().split('\n') : [out];
    for (const text of texts) all.push({ command: words[0]!, line, value: JSON.parse(text) });
  }
  return all;
}

/** A schema of JSON, of the few words that are used here. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
}

/** What the types of the answers say beside the samples: names of fields that may be missing, and that may be null. */
export interface Declared {
  readonly optional: ReadonlySet<string>;
  readonly nullable: ReadonlySet<string>;
}

/** The names in the text of a module of types. */
export function declaredIn(text: string): Declared {
  const names = (pattern: RegExp): ReadonlySet<string> => new Set([...text.matchAll(pattern)].map(([, name = '']) => name));
  return { optional: names(/readonly (\w+)\?:/g), nullable: names(/readonly (\w+)\??:[^;{]*\bnull\b/g) };
}

/** The narrowest schema that all values fit. */
export function schemaOfAll(values: readonly unknown[], declared: Declared, isMap = false): Schema {
  const kinds = [...new Set(values.map(kindOf))].sort();
  const parts = kinds.map((kind): Schema => {
    const own = values.filter((value) => kindOf(value) === kind);
    if (kind === 'array') return { type: kind, items: schemaOfAll((own as unknown[][]).flat(), declared) };
    return kind === 'object' ? objectOf(own as Record<string, unknown>[], declared, isMap) : { type: kind };
  });
  if (parts.length === 0) return {};
  if (parts.length === 1) return parts[0]!;
  return parts.every(({ properties, items, additionalProperties }) => (properties ?? items ?? additionalProperties) === undefined)
    ? { type: kinds }
    : { anyOf: parts };
}

/** Fields whose keys are names of parameters, as a strategy has them. */
const MAPS: ReadonlySet<string> = new Set(['params', 'changed', 'configured']);

function objectOf(values: readonly Record<string, unknown>[], declared: Declared, isMap: boolean): Schema {
  const names = [...new Set(values.flatMap((value) => Object.keys(value)))];
  // Keys that are data: symbols, codes with dashes.
  if (isMap || names.some((name) => !/^[a-z][A-Za-z0-9]*$/.test(name)))
    return {
      type: 'object',
      additionalProperties: schemaOfAll(
        values.flatMap((value) => Object.values(value)),
        declared,
      ),
    };
  const of = (name: string): unknown[] => values.flatMap((value) => (Object.hasOwn(value, name) ? [value[name]] : []));
  const required = names.filter((name) => of(name).length === values.length && !declared.optional.has(name));
  const properties = names.map((name) => {
    const all = [...of(name), ...(declared.nullable.has(name) ? [null] : [])];
    return [name, schemaOfAll(all, declared, MAPS.has(name))] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
