/** Texts of a recording name no command: a person could type it at the bot that runs, which is another than the one that they look at. */

const COMMAND = /\btickwright [a-z]/;
const BETWEEN_CLAUSES = /(; |\. )/;

/** The same value, but texts in it have lost each clause that names a command. A text of nothing else is "". */
export function withoutCommands<T>(value: T): T {
  if (typeof value === 'string') return cut(value) as T;
  if (Array.isArray(value)) return value.map(withoutCommands) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, withoutCommands(of)])) as T;
}

/** The same of JSON text. */
export function jsonWithoutCommands(text: string): string {
  return COMMAND.test(text) ? JSON.stringify(withoutCommands(JSON.parse(text))) : text;
}

function cut(text: string): string {
  if (!COMMAND.test(text)) return text;
  // Clauses stand at even places, and what separates them at odd ones.
  const parts = text.split(BETWEEN_CLAUSES);
  let kept = '';
  for (let k = 0; k < parts.length; k += 2) {
    if (COMMAND.test(parts[k]!)) continue;
    kept += kept === '' ? parts[k]! : parts[k - 1]! + parts[k]!;
  }
  return kept;
}
