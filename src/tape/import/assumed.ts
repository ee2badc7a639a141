/** Writes in sentences what an import takes for granted about files that do not say it. */
import { grouped } from '../../base/text/figures.ts';
import { plainSymbol } from '../formats/symbols.ts';
import type { ImportedFile } from './file-import.ts';
import type { Source } from './source/source.ts';

/** `imported`: the files of the sources, in the same order. */
export function assumedOf(sources: readonly Source[], imported: readonly ImportedFile[]): string[] {
  const said = new Map<string, string[]>();
  for (const [k, source] of sources.entries()) {
    const file = source.input.name.split(/[\\/]/).at(-1) ?? source.input.name;
    for (const sentence of sentencesOf(source, imported[k]!)) said.set(sentence, [...(said.get(sentence) ?? []), file]);
  }
  return [...said].map(([sentence, files]) => {
    const more = files.length > 2 ? ` and ${files.length - 1} more` : files.length > 1 ? ` and ${files[1]}` : '';
    return `${files[0]}${more}: ${sentence}`;
  });
}

function* sentencesOf(source: Source, { numbersRounded }: ImportedFile): Generator<string> {
  const { layout, symbol, isSymbolGuessed, times } = source;
  if (isSymbolGuessed && symbol !== null) {
    yield `the symbol ${plainSymbol(symbol)} is a guess from the name of the file; --symbol says another.`;
  }
  if (times.zoneBy === 'nobody') {
    const broker = layout.format.startsWith('metatrader') ? ' MetaTrader writes the time of the server of the broker.' : '';
    yield `the times have no zone and are taken as UTC; --time-zone says another.${broker}`;
  }
  if (times.zoneBy === 'vendor') {
    yield `the times are taken as UTC${times.zone!.replace('-', '−')} in every season, as HistData writes them; --time-zone says another.`;
  }
  if (hasNoVolume(source)) {
    const free = layout.ignored.length === 0 ? '' : ` Columns that are not read: ${layout.ignored.join(', ')}.`;
    yield `there is no volume: orders on these bars fill by price alone.${free}`;
  }
  if (numbersRounded > 0) {
    const [numbers, were] = numbersRounded === 1 ? ['a number', 'was'] : [`${grouped(String(numbersRounded))} numbers`, 'were'];
    yield `${numbers} with rounding errors of floating point, such as 0.30000000000000004, ${were} rounded to 15 digits.`;
  }
}

function hasNoVolume({ layout, head }: Source): boolean {
  if (layout.kind !== 'bars') return false;
  const field = layout.roles.findIndex((role) => role === 'volume' || role === 'quoteVolume');
  return field < 0 || head.rows.every((row) => /^[0.,]*$/.test(row[field] ?? ''));
}
