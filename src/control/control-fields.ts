/** Inputs that several control commands share. */
import type { ControlField } from './control-command.ts';

/** Characters of a signal. */
export const SIGNAL_MOST = 4_000;
export const TEXT = { pattern: /^\P{Cc}{1,200}$/u, words: 'text of at most 200 characters' } as const;
/** A list. What its names lack is said field by field, also of an empty one. */
export const LIST = { pattern: /^\P{Cc}{0,2000}$/u, words: 'text of at most 2000 characters' } as const;
export const SCOPE: ControlField = {
  kind: 'text',
  form: TEXT,
  isOptional: true,
  doc: 'a symbol (BTCUSDT), one position side of it (BTCUSDT:LONG) or the name of a strategy; the whole bot if left out',
};
export const ONE_SCOPE: ControlField = { ...SCOPE, doc: 'a symbol, a position side or a strategy; everything if left out' };
export const SYMBOL: ControlField = { kind: 'text', form: TEXT, doc: 'a symbol of the file of instruments: BTCUSDT, or spot:BTCUSDT' };
export const STRATEGY: ControlField = {
  kind: 'text',
  form: TEXT,
  isOptional: true,
  doc: 'its name, as shown by `status`; may be left out if the bot runs one strategy',
};
export const WHY: ControlField = {
  kind: 'text',
  form: TEXT,
  isOptional: true,
  isFlag: true,
  doc: 'the reason, for the journal and the log',
};
export const WAIT: ControlField = {
  kind: 'whole',
  min: 0,
  max: 60_000,
  isOptional: true,
  isFlag: true,
  doc: 'milliseconds to wait for the full effect before the answer lists what is still open; 5000 by default',
};
export const FLAT_WAIT: ControlField = {
  ...WAIT,
  doc: 'milliseconds to wait for the full effect before the answer says "in progress"; 3000 by default. With it, and with --json, the command ends then; otherwise it reports until the positions are closed',
};
export const REHEARSE: ControlField = {
  kind: 'flag',
  isOptional: true,
  isFlag: true,
  isSwitch: true,
  doc: 'send nothing: show what it would cancel and close now, in which order, at about which price and cost, and what it leaves',
};
export const FROM: ControlField = {
  kind: 'text',
  form: TEXT,
  isOptional: true,
  isFlag: true,
  doc: 'start of the period in UTC, such as 2026-11-22T08:00',
};
export const TO: ControlField = { kind: 'text', form: TEXT, isOptional: true, isFlag: true, doc: 'end of the period in UTC' };
