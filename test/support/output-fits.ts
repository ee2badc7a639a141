/** Whether what a command printed with `--json` is as its schema says, and nothing besides. */
import { z } from 'zod';
import { outputSchema, storedSchemas, type Schema } from '../../src/cli/outputs/output-schema.ts';

const schemas = storedSchemas();
const made = new Map<string, z.ZodType>();

/** The command that the words of a command line name; null if it has no schema. */
export function commandIn(args: readonly string[]): string | null {
  const names = [args.slice(0, 2).join(' '), args[0] ?? ''];
  return names.find((name) => Object.hasOwn(schemas.commands, name)) ?? null;
}

/** What is wrong with a printed value. */
export function misfits(command: string, value: unknown): readonly string[] {
  let schema = made.get(command);
  if (schema === undefined) made.set(command, (schema = z.fromJSONSchema(strictly(outputSchema(command, schemas)) as never)));
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map((issue) => `${command}: ${JSON.stringify(issue)}`);
}

/** The same of all that a command line with `--json` printed: one value, or one on each line. @throws Error that says what is wrong */
export function checkPrinted(args: readonly string[], text: string): void {
  const command = args.includes('--json') && text.trim() !== '' ? commandIn(args) : null;
  if (command === null) return;
  const wrong = valuesIn(text).flatMap((value) => misfits(command, value));
  if (wrong.length > 0) throw new Error(`tickwright ${args.join(' ')}\n${wrong.slice(0, 5).join('\n').slice(0, 4_000)}`);
}

function valuesIn(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  }
}

/** Without room for fields that it does not name. */
function strictly(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(strictly);
  if (typeof part !== 'object' || part === null) return part;
  const all = Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, key === 'properties' ? mapped(value as object) : strictly(value)]),
  );
  const { type, additionalProperties } = part as Schema;
  return type === 'object' && additionalProperties === undefined ? { ...all, additionalProperties: false } : all;
}

function mapped(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, strictly(value)]));
}
