/** `indicators`: lists the indicators that strategies can import, and describes one in full. */
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import type { AnyIndicatorFunction } from '../../indicators/table.ts';
import type { IndicatorFacts } from '../outputs/outputs.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { INPUTS, shownParam } from './indicator-words.ts';
import { table } from '../../report/document/text-table.ts';
import { widthOf } from '../terminal/terminal.ts';
import { printJson } from '../shell/print-json.ts';

export async function runIndicators(flags: { readonly json?: true }, context: CliContext, words: readonly string[]): Promise<void> {
  const { INDICATORS } = await import('../../indicators/table.ts');
  const found = matching(INDICATORS, words);
  const { stdout } = context.io;
  if (flags.json) printJson(context.io, 'indicators', { indicators: found.map(factsOf) });
  else if (found.length === 1) stdout.write(described(found[0]!, widthOf(stdout)));
  else stdout.write((words.length === 0 ? families : listed)(found, widthOf(stdout)));
}

/** The one with that name; otherwise those that have all the words. @throws Failure (command-line) if there is none */
function matching(all: readonly AnyIndicatorFunction[], words: readonly string[]): readonly AnyIndicatorFunction[] {
  const asked = words.map((word) => word.toLowerCase());
  const named = all.filter(({ row }) => asked.length === 1 && row.name.toLowerCase() === asked[0]);
  if (named.length > 0) return named;
  const found = all.filter(({ row }) => {
    const text = `${row.name} ${row.title} ${row.family}`.toLowerCase();
    return asked.every((word) => text.includes(word));
  });
  if (found.length > 0) return found;
  const names = all.map(({ row }) => row.name);
  throw new Failure('command-line', {
    what: `no indicator has "${words.join(' ')}" in its name, title or family`,
    hint: didYouMean(words.join(''), names) ?? '`tickwright indicators` lists all of them',
  });
}

function families(all: readonly AnyIndicatorFunction[], width: number): string {
  const names = Map.groupBy(all, ({ row }) => row.family);
  const rows = [...names].map(([family, members]) => [family, members.map(({ row }) => row.name).join(', ')]);
  return table([{ title: 'family' }, { title: 'indicators', flows: true }], rows, width) + closing(all);
}

function closing(found: readonly AnyIndicatorFunction[]): string {
  return `\n${found.length} indicators; \`tickwright indicators NAME\` describes one.\n`;
}

function listed(found: readonly AnyIndicatorFunction[], width: number): string {
  const rows = found.map(({ row }) => {
    const defaults = row.params.map(({ name, initial }) => `${name} ${initial}`);
    return [row.name, row.title, row.family, defaults.join(', ')];
  });
  const columns = [{ title: 'name' }, { title: 'what', flows: true }, { title: 'family' }, { title: 'parameters', flows: true }] as const;
  return table(columns, rows, width) + closing(found);
}

function described(make: AnyIndicatorFunction, width: number): string {
  const { name, title, family, formula, source, input, params, outputs } = make.row;
  const facts: (readonly [string, string])[] = [
    ['name', `${name}: ${title} (${family})`],
    ['formula', formula],
    ['source', source],
    ['input', INPUTS[input].replaceAll('`', '')],
    ...params.map((param, k) => [k === 0 ? 'parameters' : '', shownParam(param)] as const),
    ['outputs', outputs.join(', ')],
    ['lookback', `${make().lookback} updates before the first value, with these parameters`],
    ['use', `import { ${name} } from 'tickwright'; ${name}(${params.map(({ initial }) => JSON.stringify(initial)).join(', ')})`],
  ];
  return table([{ title: '' }, { title: '', flows: true }], facts, width);
}

function factsOf(make: AnyIndicatorFunction): IndicatorFacts {
  const { kernel: _kernel, ...facts } = make.row;
  return { ...facts, lookback: make().lookback };
}
