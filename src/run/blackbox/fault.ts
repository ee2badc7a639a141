/** A fault that a session shows: an error, a line of the log, or a command that differs from the recorded one. As text it is what a person types. */
import { Failure } from '../../base/failure/failure.ts';
import type { LogFields } from '../../ports/log.ts';
import type { Divergence } from '../replay/recorded-entries.ts';
import type { Shown } from './loose-play.ts';

export interface Fault {
  /** Of a line of the log; "error" for an error that ended the session, "command" for a command. */
  readonly event: string;
  /** Fields that must be the same, as text. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Fields by which two lines are about the same thing; others have figures that change with each event that is left out. */
const TELLING = ['code', 'rule', 'reason', 'cause', 'kind', 'strategy', 'handler', 'message', 'error', 'scope', 'symbol'];
/** Lines that are no fault. */
const NO_FAULT: ReadonlySet<string> = new Set(['operator-command', 'read-failed', 'venue-trouble', 'command']);
/** Fields of a command that say what it asks for. */
const ASKED = ['kind', 'instrument', 'side', 'effect', 'type', 'price', 'size'];

/** "opens-halted code=daily-loss"; a value with spaces stands in quotes. @throws Failure (flag-value) */
export function faultOf(text: string): Fault {
  const words = text.match(/(?:[^\s"]+|"[^"]*")+/g) ?? [];
  const [event = '', ...rest] = words;
  const fields = rest.map((word) => {
    const at = word.indexOf('=');
    if (at < 1) throw new Failure('flag-value', { what: `expected NAME=VALUE after the event, found ${word}`, where: '--fault' });
    return [word.slice(0, at), word.slice(at + 1).replaceAll('"', '')];
  });
  if (!/^[a-z][a-z-]*$/.test(event))
    throw new Failure('flag-value', {
      what: `expected an event of the log such as opens-halted, or error, found ${text}`,
      where: '--fault',
    });
  return { event, fields: Object.fromEntries(fields) as Record<string, string> };
}

export function faultText({ event, fields }: Fault): string {
  return [event, ...Object.entries(fields).map(([name, value]) => `${name}=${/\s/.test(value) ? `"${value}"` : value}`)].join(' ');
}

export function isShown({ event, fields }: Fault, shown: Shown): boolean {
  return shown.event === event && Object.entries(fields).every(([name, value]) => wordOf(shown.fields, name) === value);
}

/** The fault that a line is; null for one that is none. */
export function faultIn({ level, event, fields }: Shown, least: 'warn' | 'error'): Fault | null {
  if (NO_FAULT.has(event) || level === 'info' || (level === 'warn' && least === 'error')) return null;
  const told = TELLING.map((name) => [name, wordOf(fields, name)] as const).filter(([, value]) => value !== '');
  return { event, fields: Object.fromEntries(told) };
}

/** The command that a replay gives out where the session has another one, or none; null for a difference of another kind. */
export function differenceFault(divergence: Divergence, last: Shown | null): Fault | null {
  if (last?.event !== 'command' || !divergence.found.startsWith('command')) return null;
  return { event: 'command', fields: Object.fromEntries(ASKED.map((name) => [name, wordOf(last.fields, name)])) };
}

/** Figures in a message change; the words before the first one stay. */
function wordOf(fields: LogFields, name: string): string {
  const value: unknown = fields[name];
  if (value instanceof Error) return firstWords(value.message);
  if (typeof value === 'string') return name === 'message' || name === 'error' ? firstWords(value) : value;
  return typeof value === 'number' ? String(value) : '';
}

function firstWords(text: string): string {
  return (text.split('\n', 1)[0] ?? '')
    .replace(/[^\p{L}\s:,.'-].*$/u, '')
    .replaceAll('"', "'")
    .trim()
    .slice(0, 120);
}
