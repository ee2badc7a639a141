/** Finds where a configuration file sets a parameter of a strategy. */
import { readFileSync } from 'node:fs';
import { parseYaml } from './yaml.ts';

/**
 * "file:line:column" of the value of `param`; the file alone if no strategy or several set it. Of several, that counts whose value is
 * in `message`.
 */
export function paramPlace(file: string, param: string, message: string): string {
  const placed = parseYaml(readFileSync(file, 'utf8'), file);
  const strategies = (placed.value as { readonly strategies?: unknown }).strategies;
  const setting = (Array.isArray(strategies) ? strategies : []).flatMap((one: { readonly params?: Readonly<Record<string, unknown>> }, k) =>
    one.params !== undefined && Object.hasOwn(one.params, param) ? [{ k, text: String(one.params[param]) }] : [],
  );
  const named = setting.length > 1 ? setting.filter(({ text }) => message.includes(JSON.stringify(text))) : setting;
  const [only, ...others] = named;
  return only === undefined || others.length > 0 ? file : placed.at(['strategies', only.k, 'params', param]);
}
