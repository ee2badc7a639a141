/**
 * The log interface. A line is an event name in lower-case-kebab with fields. Values are never put into sentences; secrets are never
 * fields.
 */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** A log that drops every line. */
export const SILENT_LOG: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
