/** What an import takes for granted about files that do not say it, in sentences. */
import { plainSymbol } from '../formats/symbols.ts';
import type { Source } from './source.ts';

export function assumedOf(sources: readonly Source[]): string[] {
  const said = new Map<string, string[]>();
  for (const source of sources) {
    const file = source.input.name.split(/[\\/]/).at(-1) ?? source.input.name;
    for (const sentence of sentencesOf(source)) said.set(sentence, [...(said.get(sentence) ?? []), file]);
  }
  return [...said].map(([sentence, files]) => {
    const more = files.length > 2 ? ` and ${files.length - 1} more` : files.length > 1 ? ` and ${files[1]}` : '';
    return `${files[0]}${more}: ${sentence}`;
  });
}

function* sentencesOf({ layout, symbol, isSymbolGuessed, hasNoZone }: Source): Generator<string> {
  if (isSymbolGuessed && symbol !== null) {
    yield `the symbol ${plainSymbol(symbol)} is a guess from the name of the file; --symbol says another.`;
  }
  if (hasNoZone) yield 'the times have no zone and are taken as UTC.';
  if (layout.kind !== 'bars' || layout.roles.some((role) => role === 'volume' || role === 'quoteVolume')) return;
  const free = layout.ignored.length === 0 ? '' : ` Columns that are not read: ${layout.ignored.join(', ')}.`;
  yield `there is no volume: orders on these bars fill by price alone.${free}`;
}
