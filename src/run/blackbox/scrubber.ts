/**
 * Makes an entry of a session into one that may be sent: ids numbered again, times shifted by whole weeks, texts that are not words of this program
 * numbered, fields that are not allowed left out. The same thing always becomes the same other thing.
 */
import { isRecord } from '../../base/fields.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../base/time/time-spans.ts';
import { formatClientId, parseClientId } from '../../domain/orders/command.ts';
import { FIELD_RULES, OWN_WORDS, type FieldRule } from './allowed-fields.ts';

const WEEK_MS = 7 * DAY_MS;
/** A Monday. The recording begins in its week, at the day and time of the week at which it began. */
const FIRST_WEEK = Date.UTC(2001, 0, 1);
export const BOT = 'bot';
const LETTERS = /\p{L}+/gu;
/** Of a text that a strategy made of others: what stands between spaces and punctuation. */
const TOKEN = /[\p{L}\p{N}]+/gu;
/** A word and a number behind it, which is too short for the number of an account. */
const NUMBERED = /^(\p{L}*)(\d{0,9})$/u;

export interface ScrubberOptions {
  readonly startedAt: number;
  readonly bot: string;
  /** Symbols and coins, which stay. */
  readonly symbols: readonly string[];
  /** The texts of the strategies that are sent along: their words stay. */
  readonly texts: readonly string[];
  /** New names of strategies. */
  readonly renames: ReadonlyMap<string, string>;
}

export class Scrubber {
  readonly shiftMs: number;
  /** Names of fields that are not allowed, and were left out. */
  readonly leftOut = new Set<string>();
  readonly #options: ScrubberOptions;
  readonly #names: ReadonlySet<string>;
  readonly #words: ReadonlySet<string>;
  readonly #ids = new Map<string, string>();
  readonly #seen = { id: new Set<string>(), trade: new Set<string>() };
  readonly #texts = new Map<string, string>();

  constructor(options: ScrubberOptions) {
    this.#options = options;
    const weeks = Math.floor((options.startedAt - FIRST_WEEK) / WEEK_MS);
    this.shiftMs = weeks * WEEK_MS;
    this.#names = new Set(options.symbols);
    this.#words = new Set(options.texts.flatMap((text) => [...(text.match(/[\w.-]+/g) ?? []), ...(text.match(LETTERS) ?? [])]));
  }

  /** How many ids and texts became others. */
  get counts(): { readonly ids: number; readonly texts: number } {
    return { ids: this.#ids.size, texts: this.#texts.size };
  }

  /** Call with every entry before the first is scrubbed: ids keep their order, and by it pages of lists are read. */
  note(value: unknown, rule: FieldRule = 'plain'): void {
    if (typeof value === 'string') {
      if (rule === 'id' || rule === 'trade') this.#seen[rule].add(value);
    } else if (Array.isArray(value)) for (const one of value) this.note(one, rule);
    else if (isRecord(value)) for (const [key, one] of Object.entries(value)) this.note(one, FIELD_RULES.get(key) ?? 'plain');
  }

  /** After the last `note`. */
  number(): void {
    for (const [rule, prefix] of [
      ['trade', 't'],
      ['id', 'v'],
    ] as const) {
      const sorted = [...this.#seen[rule]].filter((id) => id !== '').toSorted(byOrder);
      const isDigits = sorted.every((id) => /^\d+$/.test(id));
      for (const [k, id] of sorted.entries())
        this.#ids.set(id, isDigits ? String(1_000_000 + k) : `${prefix}-${String(k + 1).padStart(7, '0')}`);
    }
  }

  /** An entry, or a part of one, of which `rule` is the row. */
  scrub(value: unknown, rule: FieldRule = 'plain'): unknown {
    if (typeof value === 'string') return this.#text(value, rule);
    if (typeof value === 'number') return this.#number(value, rule);
    if (Array.isArray(value))
      return value.map((one) => (rule === 'hour' ? this.#pair(one) : this.scrub(one, isRecord(one) && isMap(rule) ? 'plain' : rule)));
    if (!isRecord(value)) return typeof value === 'boolean' || value === null ? value : undefined;
    const kept = Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
      if (rule === 'given') return [[this.#key(key), this.scrub(one, isRecord(one) ? 'given' : 'amount')]];
      if (rule === 'times') return [[this.#key(key), this.scrub(one, 'time')]];
      if (rule === 'map') return [[this.#key(key), this.scrub(one, isRecord(one) || Array.isArray(one) ? 'plain' : 'amount')]];
      const own = FIELD_RULES.get(key);
      if (own !== undefined) return [[key, this.scrub(one, own)]];
      this.leftOut.add(this.#isWord(key) ? key : 'others with names that strategies or the venue gave');
      return [];
    });
    return Object.fromEntries(kept);
  }

  /** What a strategy saved: JSON whose names are those of its text, or one text. */
  state(text: string): string {
    try {
      return JSON.stringify(this.#free(JSON.parse(text)));
    } catch {
      return this.#text(text, 'reason');
    }
  }

  /** Plain JSON of a strategy. */
  #free(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value, 'reason');
    if (Array.isArray(value)) return value.map((one) => this.#free(one));
    if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [this.#text(key, 'reason'), this.#free(one)]));
    return typeof value === 'number' && this.#isTime(value) ? value - this.shiftMs : value;
  }

  #isTime(value: number): boolean {
    return Number.isInteger(value) && Math.abs(value - this.#options.startedAt) < 90 * DAY_MS;
  }

  #number(value: number, rule: FieldRule): number {
    const unit = { time: 1, second: SECOND_MS, hour: HOUR_MS, day: DAY_MS }[rule as 'time'];
    if (unit === undefined || !Number.isFinite(value)) return value;
    const shift = this.shiftMs / unit;
    return value >= shift ? value - shift : value;
  }

  #pair(value: unknown): unknown {
    return Array.isArray(value) ? [this.#number(Number(value[0]), 'hour'), ...value.slice(1)] : value;
  }

  #key(key: string): string {
    return this.#text(key, /^\d{1,10}$/.test(key) ? 'amount' : 'name');
  }

  #text(text: string, rule: FieldRule): string {
    const { bot, renames } = this.#options;
    const renamed = renames.get(text);
    if (renamed !== undefined) return renamed;
    if (rule === 'identity') return text === bot ? BOT : this.#other('bot', text);
    if (rule === 'client') return this.#client(text);
    if (rule === 'file') return this.#other('file', text);
    if (OWN_WORDS.has(text) && rule !== 'text') return text;
    const id = this.#ids.get(text);
    if (id !== undefined && rule !== 'plain') return id;
    if (rule === 'text') return OWN_WORDS.has(text) || isTimeframe(text) ? text : this.#other('text', text);
    if (rule === 'state') return this.state(text);
    if (rule === 'release' && /^\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(text)) return text;
    if (this.#isWord(text) || ((rule === 'amount' || rule === 'reason') && isAmount(text)) || isTimeframe(text)) return text;
    if (parseClientId(bot, text).seq > 0) return this.#client(text);
    if (rule === 'reason') return text.replace(TOKEN, (token) => (this.#isMade(token) ? token : this.#other('text', token)));
    // A scope, or the leg of a symbol: "strategy:grid", "BTCUSDT 1".
    if (/^[^\s:]+([ :][^\s:]+)+$/.test(text))
      return text
        .split(/([ :])/)
        .map((one) => (/^([ :]|\d)$/.test(one) ? one : this.#text(one, 'name')))
        .join('');
    return this.#other('text', text);
  }

  /** A strategy makes it of a word of its text, so it makes the same of it again when the box is replayed. */
  #isMade(token: string): boolean {
    const [, word, digits] = NUMBERED.exec(token) ?? [];
    return word !== undefined && (word === '' || this.#isWord(word)) && (digits !== '' || this.#isWord(token));
  }

  #isWord(text: string): boolean {
    return this.#names.has(text) || this.#words.has(text) || OWN_WORDS.has(text) || FIELD_RULES.has(text);
  }

  #client(text: string): string {
    if (text === '') return '';
    const { epoch, seq } = parseClientId(this.#options.bot, text);
    return seq === 0 ? this.#other('other', text) : formatClientId({ bot: BOT, epoch: this.#number(epoch, 'second') }, seq);
  }

  #other(what: string, text: string): string {
    const known = this.#texts.get(`${what} ${text}`);
    if (known !== undefined) return known;
    const made = `${what}-${this.#texts.size + 1}`;
    this.#texts.set(`${what} ${text}`, made);
    return made;
  }
}

function isMap(rule: FieldRule): boolean {
  return rule === 'map' || rule === 'times';
}

/** A number, as a size, a value or a share, or hours as cron has them; too short for the number of an account. */
export function isAmount(text: string): boolean {
  return /^-?\d{1,9}(\.\d{1,18})?( ?(%|[A-Z]{2,6}))?$/.test(text) || /^([\d*,/-]{1,12} ){4,5}[\d*,/-]{1,12}$/.test(text);
}

function isTimeframe(text: string): boolean {
  return /^\d{1,4}(ms|s|m|h|d)$/.test(text);
}

/** Numbers by size, others by length and then by their characters. */
function byOrder(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}
