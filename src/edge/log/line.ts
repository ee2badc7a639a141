/** A JSON log line as one readable line: `12:34:56.789 WARN  poll-failed kind=quotes cause=timeout`. */
import { styleText } from 'node:util';

const STYLES = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' } as const;

/** Text of the venue or of a strategy may hold control characters: they are shown as escapes, never obeyed by the terminal. */
export function formatLine(json: string, hasColours: boolean): string {
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(json) as Record<string, unknown>;
  } catch {
    return `${escapeControl(json.trimEnd())}\n`;
  }
  const { level, time, event, ...fields } = record;
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    hasColours ? styleText(style, text, { validateStream: false }) : text;
  const style = STYLES[level as keyof typeof STYLES] ?? 'white';
  const parts = [
    paint('gray', timeOfDay(time)),
    paint(style, String(level).toUpperCase().padEnd(5)),
    escapeControl(String(event)),
    ...Object.entries(fields).map(([name, value]) => `${paint('gray', `${escapeControl(name)}=`)}${showValue(value)}`),
  ];
  return `${parts.join(' ')}\n`;
}

/** Replaces C0, C1, line and paragraph separators and direction overrides by \u escapes. */
function escapeControl(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function timeOfDay(time: unknown): string {
  return typeof time === 'number' && Math.abs(time) < 8.64e15 ? new Date(time).toISOString().slice(11, 23) : '-';
}

function showValue(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? escapeControl(value) : escapeControl(JSON.stringify(value));
  return escapeControl(JSON.stringify(value) ?? String(value));
}
