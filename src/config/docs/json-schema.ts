/** The schema of a configuration file as JSON Schema (draft 7), for editors: types, ranges, meanings and defaults, from the table of keys. */
import * as z from 'zod';
import { DEFAULTS } from '../defaults.ts';
import { leaves, settingsSchema } from '../schema/settings-schema.ts';

interface Node {
  properties?: Record<string, Node>;
  default?: unknown;
  [key: string]: unknown;
}

/** Keys whose default is a file of this program, at a place that differs by installation. */
const OWN_FILES: readonly string[] = ['instruments', 'limits'];

/** The schema as a plain object. */
export function configurationSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...root } = z.toJSONSchema(settingsSchema, { io: 'input', target: 'draft-07' }) as Node;
  for (const { path } of leaves().values()) {
    if (OWN_FILES.includes(path)) continue;
    const steps = path.split('.');
    const node = steps.reduce<Node | undefined>((at, step) => at?.properties?.[step], root);
    const value = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], DEFAULTS);
    if (node !== undefined) node.default = value;
  }
  return { $schema, title: 'Configuration of tickwright', ...root };
}
