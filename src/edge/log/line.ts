/** Formats a JSON log line for people: `12:34:56.789 WARN  poll-failed kind=quotes cause=timeout`. */
import { styleText } from 'node:util';
import { escapeHidden } from '../../base/hidden.ts';
import { wrap } from '../../base/text/wrap.ts';

const STYLES = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' } as const;

/**
 * Returns the readable line, broken at blanks if it is longer than `width` columns. Text of the venue or of a strategy may contain control
 * characters: they are shown as escapes and never reach the terminal.
 */
export function formatLine(json: string, hasColours: boolean, width = Infinity): string {
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(json) as Record<string, unknown>;
  } catch {
    return `${escapeHidden(json.trimEnd())}\n`;
  }
  const { level, time, event, ...fields } = record;
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    hasColours ? styleText(style, text, { validateStream: false }) : text;
  const style = STYLES[level as keyof typeof STYLES] ?? 'white';
  const sentence = businessLine(String(event), fields);
  const folded = (head: string, rest: string): string => {
    const begin = `${timeOfDay(time)} ${head} `;
    const text = wrap(rest, width, begin, INDENT).join('\n').slice(begin.length);
    return `${paint('gray', timeOfDay(time))} ${paint(style, head)} ${text}\n`;
  };
  if (sentence !== null) return folded(sentence[0].padEnd(9), escapeHidden(sentence[1]));
  const text = fieldsText(fields, (name) => paint('gray', name));
  return folded(String(level).toUpperCase().padEnd(5), [escapeHidden(String(event)), text].filter((part) => part !== '').join(' '));
}

/** A line for a reader: when, the event, and its fields as `name=value`. Milliseconds since 1970. */
export interface ErrorLine {
  readonly time: number;
  readonly event: string;
  readonly text: string;
}

export function readLine(json: string): ErrorLine {
  const { level: _level, time, event, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const shown = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, messageOf(value)]));
  return { time: Date.parse(String(time)), event: escapeHidden(String(event)), text: fieldsText(shown, (name) => name) };
}

/** Of an error its message: who reads a status has no use for its stack. */
function messageOf(value: unknown): unknown {
  const isError = typeof value === 'object' && value !== null && 'message' in value && 'stack' in value;
  return isError ? value.message : value;
}

function fieldsText(fields: Fields, paint: (name: string) => string): string {
  return Object.entries(fields)
    .map(([name, value]) => `${paint(`${escapeHidden(name)}=`)}${showValue(value)}`)
    .join(' ');
}

/** Indent of further lines: the width of the time and a blank. */
const INDENT = ' '.repeat(13);

type Fields = Readonly<Record<string, unknown>>;

/** The text of a trading event (an order, a fill or an exit): its first word and the rest. Null for every other event. */
function businessLine(event: string, f: Fields): [word: string, rest: string] | null {
  const said = (key: string): string => (typeof f[key] === 'string' || typeof f[key] === 'number' ? String(f[key]) : '');
  const what = [`#${said('seq')}`, said('symbol'), said('side'), said('effect'), said('kind'), said('size')]
    .filter((word) => word !== '')
    .join(' ');
  // An order of the operator has no strategy.
  const who = [said('strategy'), said('reason')].filter((text) => text !== '').join(': ');
  const price = said('price');
  const line = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');
  const part = (name: string, value: string): string => (value === '' ? '' : `${name} ${value}`);
  switch (event) {
    case 'order-placed':
      return ['placed', line(`${what} ${price === '' ? 'at market' : `at ${price}`}`, who)];
    case 'order-moved':
      return ['moved', line(`${what} ${price === '' ? 'at market' : `at ${price}`}`, `was #${said('replaces')}`, who)];
    case 'order-cancelled':
      return ['cancelled', line(`${what}, ${said('filled')} filled`, said('why'), said('strategy'))];
    case 'fill':
      return [
        'filled',
        line(
          `${what} ${price === '' ? 'at an unknown price' : `at ${price}`}`,
          part('fee', said('fee')),
          part('profit', said('profit')),
          part('position', said('after')),
          who,
        ),
      ];
    case 'exit':
      return [
        said('what'),
        line(
          `${what} ${price === '' ? '' : `at ${price}`}`,
          part('trigger', said('trigger')),
          part('profit', said('profit')),
          part('position', said('position')),
          who,
        ),
      ];
    default:
      return null;
  }
}

function timeOfDay(time: unknown): string {
  return typeof time === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/.test(time) ? time.slice(11, 23) : '-';
}

function showValue(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? escapeHidden(value) : escapeHidden(JSON.stringify(value));
  return escapeHidden(JSON.stringify(value) ?? String(value));
}
