/**
 * Watches whether the venue takes the key. After three refusals in a row opens are halted and the gate is shut: reads and exits leave as
 * single probes. Three refused commands in a row shut the gate of commands, whatever the reads say. A refused command halts opens at once,
 * because the next would fail the same way. The halt ends by itself when the key works. For a key that may read but not trade, opens are
 * tried again after pauses that double.
 */
import { assert } from '../../base/failure/assert.ts';
import { KEY_REFUSED_CAUSES } from '../../ports/venue.ts';
import type { Core } from '../state/core.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { Halts } from '../state/halts.ts';
import type { Portfolio } from '../state/account/portfolio.ts';
import type { TradingState } from '../state/trading-state.ts';
import type { KeyGate } from '../state/key-gate.ts';
import type { HaltScope } from '../state/halts.ts';

/** The shared state that this file uses. */
export interface KeyWatchCore extends Core {
  readonly orders: Orders;
  readonly halts: Halts;
  readonly portfolio: Portfolio;
  readonly tradingState: TradingState;
}

const BOT: HaltScope = { kind: 'bot' };
const CODE = 'unauthorized';
const REFUSALS = 3;
/** Pause before opens are tried again after a refused command; it doubles up to the longest. */
const FIRST_MS = 2_000;
const LONGEST_MS = 600_000;

/** What to look at, by cause. */
export const CHECK_KEY: Readonly<Record<string, string>> = {
  unauthorized: 'check key, secret and passphrase, whether the key was revoked or has expired, and the clock of this machine',
  forbidden: 'check the permissions of the key, its list of addresses (IP), and firewalls between this machine and the venue',
};

export class KeyWatch {
  readonly #core: KeyWatchCore;
  readonly #gate: KeyGate;
  /** Signed requests in a row that were refused. */
  #refused = 0;
  /** Commands in a row that were refused, whatever the reads say. */
  #commandsRefused = 0;
  #opensFrom = -Infinity;

  constructor(core: KeyWatchCore, gate: KeyGate) {
    this.#core = core;
    this.#gate = gate;
    gate.attach(() => core.tradingState.phase === 'reconciling' || isAnythingOpen(core));
  }

  /** The venue refused a signed read. */
  readRefused(cause: string): void {
    this.#gate.reads.ended();
    this.#refusedOnce(cause);
  }

  /** The venue refused a command. */
  commandRefused(cause: string, seq: number, message: string): void {
    const pauseMs = Math.min(FIRST_MS * 2 ** this.#commandsRefused++, LONGEST_MS);
    this.#opensFrom = this.#core.now + pauseMs;
    this.#halt(cause, `command ${seq}${message === '' ? '' : `: ${message}`}`);
    this.#gate.commands.ended();
    this.#refusedOnce(cause);
    if (this.#commandsRefused >= REFUSALS) this.#gate.commands.shut(this.#core.now);
    const isShut = this.#gate.commands.isShut;
    assert(this.#commandsRefused < REFUSALS || isShut, 'commands are probes while the key is refused', this.#commandsRefused);
  }

  /** A read had another end: no answer, or one that says nothing about the key. */
  readEnded(): void {
    this.#gate.reads.ended();
  }

  /** The same of a command. */
  commandEnded(): void {
    this.#gate.commands.ended();
  }

  /** The venue took the key of a read. */
  readAnswered(): void {
    const { halts } = this.#core;
    if (this.#refused > 0 || halts.count > 0 || this.#gate.commands.isShut) this.#works();
  }

  /** The venue took the key of a command. */
  commandAnswered(): void {
    this.#commandsRefused = 0;
    this.#opensFrom = -Infinity;
    this.readAnswered();
  }

  #refusedOnce(cause: string): void {
    const { now, tradingState } = this.#core;
    if (++this.#refused < REFUSALS || this.#gate.reads.isShut) return;
    this.#gate.commands.shut(now);
    this.#gate.reads.shut(now);
    // At the start nothing opens, and recovery/startup.ts tells it.
    if (tradingState.phase !== 'reconciling') this.#halt(cause, `${this.#refused} signed requests in a row`);
  }

  #halt(cause: string, refused: string): void {
    const { halts, log } = this.#core;
    const hint = CHECK_KEY[cause] ?? CHECK_KEY[CODE]!;
    const detail = `the venue refused ${refused} (${cause}): ${hint}`;
    if (halts.raise({ scope: BOT, code: CODE, detail, by: 'bot' })) log.error('unauthorized', { cause, refused, hint });
  }

  #works(): void {
    const { halts, now } = this.#core;
    this.#refused = 0;
    this.#gate.reads.open();
    // A key that may read but not trade: commands stay probes until one is taken.
    if (this.#commandsRefused < REFUSALS) this.#gate.commands.open();
    if (halts.count > 0 && now >= this.#opensFrom) halts.lift(BOT, CODE, 'the venue takes the key again', 'bot');
  }
}

/** True if an order or a position of the bot may be open. */
export function isAnythingOpen({ orders, portfolio }: Pick<KeyWatchCore, 'orders' | 'portfolio'>): boolean {
  return orders.liveTotal > 0 || portfolio.legs.some((leg) => leg.total > 0);
}

/** True if the cause of a failure means that the venue does not take the key. */
export function isKeyRefused(cause: string): boolean {
  return KEY_REFUSED_CAUSES.has(cause);
}
