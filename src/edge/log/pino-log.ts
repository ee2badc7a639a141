/** The log: one JSON object per line for machines, or one readable line for a terminal. The only importer of pino. */
import { pino, type DestinationStream } from 'pino';
import { escapeHiddenInLines } from '../../base/hidden.ts';
import type { Secret } from '../../base/secret.ts';
import type { LostLines } from '../../control/answers.ts';
import type { Log, LogFields } from '../../ports/log.ts';
import { KeptLines } from './kept-lines.ts';
import { formatLine, readLine, type ErrorLine } from './line.ts';
import { Scrubber, toPlain } from './scrub.ts';
import { DescriptorSink, type LineSink } from './sink.ts';

export type { LineSink } from './sink.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LogOptions {
  readonly level: LogLevel;
  /** `json` for machines, `text` for a terminal. */
  readonly form: 'json' | 'text';
  /** Colours in the text form. Default false. */
  readonly colours?: boolean | undefined;
  /** Columns of the terminal, which may change; undefined for none. The text form breaks longer lines at blanks. Default: none. */
  readonly width?: (() => number | undefined) | undefined;
  /** Values that are never printed, in any encoding. */
  readonly secrets?: readonly Secret[] | undefined;
  /** Default: file descriptor 2, written at once, so that a crash loses no line. */
  readonly sink?: LineSink | undefined;
  /** If set, receives all lines below the level `error`. */
  readonly belowErrors?: LineSink | undefined;
  /** Filter of the lines to write; the others are only counted and given to listeners. Default: all of the level. */
  readonly shows?: LineFilter | undefined;
  /** Filter of the lines to keep for `tail --since`. Default: all of the level. */
  readonly keeps?: LineFilter | undefined;
}

export type LineFilter = (level: string, event: string) => boolean;

/** Characters of the newest lines that are kept: about a day of a bot whose order lines are not kept. */
const KEPT_MAX = 8 << 20;

export interface LogOutput extends Log {
  /** Number of lines by level since the start. */
  readonly counts: Readonly<Record<'debug' | 'info' | 'warn' | 'error', number>>;
  /** The last line of the level `error`; null before the first. */
  readonly lastError: ErrorLine | null;
  /** Lines that could not be written; null for none. */
  readonly lost: LostLines | null;
  /** The text without any secret. */
  scrub(text: string): string;
  setLevel(level: LogLevel): void;
  /** The newest lines as JSON. */
  readonly kept: Pick<KeptLines, 'from' | 'since'>;
  /** Passes each further line to `take` as JSON, until `take` returns false or the returned function is called. */
  listen(take: (line: string) => boolean): () => void;
}

/** File descriptor 1, written at once. */
export function stdoutSink(): LineSink {
  return new DescriptorSink(1);
}

/** Paths that pino itself hides: a second defence besides the plain copy, which hides by name at any depth. */
const REDACTED = ['key', 'secret', 'passphrase', 'sign', 'signature', 'headers', '*.key', '*.secret', '*.passphrase', '*.headers'];

export function createLog(options: LogOptions): LogOutput {
  const scrubber = new Scrubber(options.secrets ?? []);
  const sink: LineSink = options.sink ?? new DescriptorSink(2);
  const sinks = options.belowErrors === undefined ? [sink] : [sink, options.belowErrors];
  let last = '';
  let lastLevel = '';
  let lastError = '';
  const listeners = new Set<(line: string) => boolean>();
  const kept = new KeptLines(KEPT_MAX);
  const stream: DestinationStream = {
    write(line) {
      const clean = escapeHiddenInLines(scrubber.scrub(line));
      if (lastLevel === 'error') lastError = clean;
      if (options.keeps?.(lastLevel, last) !== false) kept.add(Date.now(), clean);
      for (const take of listeners) if (!take(clean)) listeners.delete(take);
      if (options.shows?.(lastLevel, last) === false) return;
      const to = options.belowErrors === undefined || lastLevel === 'error' ? sink : options.belowErrors;
      to.write(options.form === 'json' ? clean : formatLine(clean, options.colours ?? false, options.width?.()));
    },
  };
  const logger = pino(
    {
      level: options.level,
      base: null,
      // The names of pino's own fields are taken by ours, so that no field of a caller is read as an error.
      errorKey: 'event',
      messageKey: 'event',
      timestamp: () => `"event":${JSON.stringify(last)},"level":"${lastLevel}","time":"${new Date().toISOString()}"`,
      redact: { paths: REDACTED, censor: '[secret]' },
      // Begins the line with nothing: `timestamp` writes event, level and time, in this order.
      formatters: { level: () => ({}) },
    },
    stream,
  );
  const counts = { debug: 0, info: 0, warn: 0, error: 0 };
  const at =
    (level: keyof typeof counts) =>
    (event: string, fields?: LogFields): void => {
      if (!logger.isLevelEnabled(level)) return;
      counts[level]++;
      last = event;
      lastLevel = level;
      logger[level](renamed(toPlain(fields ?? {}) as Record<string, unknown>));
    };
  const log: LogOutput = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    counts,
    get lost() {
      return sinks.reduce<LostLines | null>((sum, { lost }) => added(sum, lost ?? null), null);
    },
    get lastError() {
      return lastError === '' ? null : readLine(lastError);
    },
    kept,
    scrub: (text) => scrubber.scrub(text),
    setLevel(level) {
      logger.level = level;
    },
    listen(take) {
      listeners.add(take);
      return () => void listeners.delete(take);
    },
  };
  for (const one of sinks) {
    if (!(one instanceof DescriptorSink)) continue;
    one.events = {
      onLoss: ({ cause }) => log.error('log-not-written', { to: one.name, cause, hint: NOT_WRITTEN }),
      onBack: ({ lines, cause, since }) => log.warn('log-written-again', { to: one.name, lost: lines, cause, since }),
    };
  }
  return log;
}

const NOT_WRITTEN = 'the bot goes on; `tickwright status` counts the lost lines, `tickwright tail` shows new ones';

function added(a: LostLines | null, b: LostLines | null): LostLines | null {
  if (a === null || b === null) return a ?? b;
  const { cause, last } = a.last > b.last ? a : b;
  return { lines: a.lines + b.lines, cause, since: Math.min(a.since, b.since), last, isLosing: a.isLosing || b.isLosing };
}

/** Appends "_" to fields whose names the log line itself uses. Otherwise the JSON object would have the key twice. */
function renamed(fields: Record<string, unknown>): Record<string, unknown> {
  for (const taken of ['level', 'time', 'event']) {
    if (!Object.hasOwn(fields, taken)) continue;
    fields[`${taken}_`] = fields[taken];
    delete fields[taken];
  }
  return fields;
}
