/**
 * A strict reader of the text format of Prometheus, version 0.0.4: each family has one HELP and one TYPE before its samples, in one piece; no
 * series comes twice. https://prometheus.io/docs/instrumenting/exposition_formats/
 */

export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/;

/** @throws Error with the line that the format does not allow */
export function readExposition(text: string): readonly Series[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const all: Series[] = [];
  const types = new Map<string, string>();
  const seen = new Set<string>();
  let [family, stage] = ['', ''];
  for (const line of text.slice(0, -1).split('\n')) {
    const [, word, name = '', rest = ''] = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line) ?? [];
    if (word === 'HELP') {
      if (types.has(name) || stage === 'HELP') throw new Error(`a family in two pieces: ${line}`);
      [family, stage] = [name, 'HELP'];
    } else if (word === 'TYPE') {
      if (stage !== 'HELP' || name !== family || !['gauge', 'counter'].includes(rest)) throw new Error(`a TYPE out of place: ${line}`);
      types.set(name, rest);
      stage = 'TYPE';
    } else {
      const [, of = '', labels = '', number = ''] = SAMPLE.exec(line) ?? [];
      if (of !== family || stage !== 'TYPE') throw new Error(`a sample outside its family: ${line}`);
      const series = { name: of, labels: labelsOf(labels, line), value: numberOf(number, line) };
      const key = [of, ...Object.entries(series.labels).map((pair) => JSON.stringify(pair))].toSorted((a, b) => (a < b ? -1 : 1)).join(' ');
      if (seen.has(key)) throw new Error(`a series twice: ${line}`);
      if (types.get(of) === 'counter' && !(series.value >= 0)) throw new Error(`a counter below 0: ${line}`);
      seen.add(key);
      all.push(series);
    }
  }
  return all;
}

function labelsOf(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== '';) {
    const [whole, name, value] = LABEL.exec(rest) ?? [];
    if (whole === undefined || name === undefined || value === undefined) throw new Error(`labels that cannot be read: ${line}`);
    if (Object.hasOwn(labels, name)) throw new Error(`a label twice: ${line}`);
    labels[name] = value.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one));
    rest = rest.slice(whole.length);
  }
  return labels;
}

function numberOf(text: string, line: string): number {
  if (!/^(NaN|[+-]Inf|-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)$/.test(text)) throw new Error(`a value that is no number: ${line}`);
  return text.endsWith('Inf') ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text);
}
