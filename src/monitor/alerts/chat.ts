/**
 * What a person may say to the bot in a chat. Users on the list may ask, and may act in two steps: the effect is listed with a button, and the
 * press of the same user within a minute does it, once. Nobody else gets an answer.
 */
import type { ControlName } from '../../control/commands.ts';
import type { ReadModel } from '../model/read-model.ts';

/** A message, or the press of a button, as the service delivers it. */
export interface Said {
  readonly user: string;
  readonly text: string;
  readonly isPress: boolean;
  /** Time when it was said, in milliseconds since 1970. */
  readonly time: number;
}

/** What follows: a text with at most one button, an acknowledgement, or a command for the bot. */
export type Reply =
  | { readonly kind: 'text'; readonly text: string; readonly button?: { readonly text: string; readonly data: string } }
  | { readonly kind: 'acknowledge'; readonly alert: number; readonly by: string }
  | { readonly kind: 'command'; readonly name: ControlName; readonly given: Readonly<Record<string, string>>; readonly by: string };

const NONCE_MS = 60_000;
/** Older messages are of the time before a restart. */
const OLD_MS = 60_000;
const NONCES_MOST = 20;

/** Words of a chat that ask, with the command of the bot and its field for the word after them. */
const ASKS: Readonly<Record<string, { readonly name: ControlName; readonly field?: string }>> = {
  status: { name: 'status' },
  why: { name: 'why', field: 'what' },
  positions: { name: 'positions', field: 'scope' },
  orders: { name: 'orders', field: 'scope' },
  pnl: { name: 'pnl' },
};
/** Words that act. None of them confirms a kill, so `resume` does not end one. */
const ACTS: Readonly<Record<string, ControlName>> = {
  halt: 'halt',
  resume: 'resume',
  reduce_only: 'reduce-only',
  cancel_all: 'cancel-all',
  flatten: 'flatten',
};
const HELP = `/${[...Object.keys(ASKS), ...Object.keys(ACTS)].join(' /')}\nA symbol or strategy may follow, such as /halt BTCUSDT.`;

interface Pending {
  readonly user: string;
  readonly name: ControlName;
  readonly scope: string;
  readonly until: number;
}

export class Chat {
  readonly #users: ReadonlySet<string>;
  readonly #nonce: () => string;
  readonly #pending = new Map<string, Pending>();

  /** `nonce` gives a text that cannot be guessed, of at most 40 characters. */
  constructor(users: readonly string[], nonce: () => string) {
    this.#users = new Set(users);
    this.#nonce = nonce;
  }

  /** Null for what gets no answer. */
  take({ user, text, isPress, time }: Said, model: ReadModel, now: number): Reply | null {
    if (!this.#users.has(user) || now - time > OLD_MS) return null;
    return isPress ? this.#pressed(user, text, now) : this.#asked(user, text, model, now);
  }

  #pressed(user: string, data: string, now: number): Reply | null {
    const [kind = '', value = ''] = data.split(':', 2);
    const by = `telegram ${user}`;
    if (kind === 'ack' && /^\d{1,15}$/.test(value)) return { kind: 'acknowledge', alert: Number(value), by };
    if (kind !== 'yes') return null;
    const pending = this.#pending.get(value);
    // A nonce of another user stays: its own user may still press.
    if (pending === undefined || pending.user !== user) return null;
    this.#pending.delete(value);
    if (now > pending.until) return { kind: 'text', text: 'Too late: say it again.' };
    const { name, scope } = pending;
    return { kind: 'command', name, given: { ...(scope === '' ? {} : { scope }), why: `by ${by}` }, by };
  }

  #asked(user: string, text: string, model: ReadModel, now: number): Reply | null {
    const [, word = '', scope = ''] = /^\/([a-z_]{1,20})(?:@\w{1,64})?(?: +(\S{1,100}))?\s*$/.exec(text) ?? [];
    const ask = Object.hasOwn(ASKS, word) ? ASKS[word] : undefined;
    if (ask !== undefined)
      return {
        kind: 'command',
        name: ask.name,
        given: scope === '' || ask.field === undefined ? {} : { [ask.field]: scope },
        by: `telegram ${user}`,
      };
    const name = Object.hasOwn(ACTS, word) ? ACTS[word] : undefined;
    if (name === undefined) return { kind: 'text', text: HELP };
    const nonce = this.#nonce();
    this.#pending.set(nonce, { user, name, scope, until: now + NONCE_MS });
    const [oldest] = this.#pending.keys();
    if (this.#pending.size > NONCES_MOST && oldest !== undefined) this.#pending.delete(oldest);
    return {
      kind: 'text',
      text: `${name} ${scope || 'the whole bot'}\n${effectOf(name, model)}\nValid for a minute.`,
      button: { text: `Do it: ${name}`, data: `yes:${nonce}` },
    };
  }
}

/** What the command will meet, as the monitor knows it now. */
function effectOf(name: ControlName, model: ReadModel): string {
  const orders = model.openOrders.map(
    (one) => `${one.effect} ${one.side} ${one.size} ${one.symbol} at ${one.price === '' ? 'market' : one.price}`,
  );
  const positions = [...model.positions.values()].map(({ symbol, side, size }) => `${symbol} ${side} ${size}`);
  const halts = model.halts.map(({ scope, code }) => `${scope} ${code}`);
  const listed = (title: string, rows: readonly string[]): string =>
    `${title}: ${rows.length === 0 ? 'none' : rows.slice(0, 20).join('; ')}${rows.length > 20 ? ` and ${rows.length - 20} more` : ''}`;
  switch (name) {
    case 'resume':
      return `${listed('Halts now', halts)}. A kill stays.`;
    case 'flatten':
      return `Closes at the market. ${listed('Positions now', positions)}. ${listed('Orders now', orders)}.`;
    case 'cancel-all':
    case 'reduce-only':
      return `${listed('Orders now', orders)}.`;
    default:
      return 'No opening order leaves after it. Resting orders stay.';
  }
}
