/**
 * The margin mode of a symbol (E10). It is an absolute state, so it may be sent again; it counts as set when the account (E9) shows it
 * in two reads that began after the command, whatever the command was answered.
 */
import { MARGIN_MODES, SET_MARGIN_MODE } from '../../domain/codes.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { Due } from '../agenda.ts';
import type { Core } from '../core.ts';
import type { Asker, Asks } from '../reads/asks.ts';
import { policyOf } from '../resolve/policy.ts';
import type { Executor } from './executor.ts';
import type { Owner } from './owner.ts';

/** Equal reads that are believed, and the time between two. */
const READS = 2;
const READ_MS = 500;
const FAILED_MS = 4_000;

interface Change {
  readonly owner: Owner;
  readonly instrument: number;
  readonly mode: number;
  readonly reason: string;
  seq: number;
  tries: number;
  since: number;
  /** Reads in a row that show the mode, and that show another. */
  same: number;
  other: number;
  nextAt: number;
}

export class MarginModes implements Asker, Due {
  readonly #core: Core;
  readonly #executor: Executor;
  readonly #asks: Asks;
  readonly #alarm: number;
  /** By instrument. */
  readonly #changes = new Map<number, Change>();
  readonly #queries = new Map<Query, Change>();

  constructor(core: Core, executor: Executor, asks: Asks) {
    this.#core = core;
    this.#executor = executor;
    this.#asks = asks;
    this.#alarm = core.agenda.add(this);
  }

  /** False while another change of the instrument is under way, and when a rule refused. The market is flat without live orders. */
  set(owner: Owner, instrument: number, mode: number, reason: string): boolean {
    if (this.#changes.has(instrument)) return false;
    const change: Change = { owner, instrument, mode, reason, seq: 0, tries: 0, since: 0, same: 0, other: 0, nextAt: Infinity };
    this.#changes.set(instrument, change);
    return this.#send(change);
  }

  /** What became of command `seq`. */
  outcome(seq: number, how: 'accepted' | 'refused' | 'unknown'): void {
    const change = this.#changeOf(seq);
    if (change === null) return;
    if (how === 'refused' || (how === 'accepted' && this.#core.isPushed)) return this.#end(change);
    change.seq = 0;
    change.since = this.#core.now;
    this.#readIn(change, 0);
  }

  due(now: number): void {
    for (const change of this.#changes.values()) if (change.nextAt <= now) this.#ask(change);
    this.#arm();
  }

  answered(query: Query, answer: Answer, sentAt: number): void {
    const change = this.#take(query);
    if (change === null || answer.kind !== 'account') return;
    const core = this.#core;
    if (sentAt < change.since) return this.#readIn(change, READ_MS);
    const isSame = answer.account.marginMode === change.mode;
    change.same = isSame ? change.same + 1 : 0;
    change.other = isSame ? 0 : change.other + 1;
    if (change.same >= READS) {
      core.log.info('margin-mode-set', { symbol: core.instruments[change.instrument]!.symbol, mode: MARGIN_MODES[change.mode] });
      return this.#end(change);
    }
    if (change.other >= READS) return this.#again(change);
    this.#readIn(change, READ_MS);
  }

  failed(query: Query): void {
    const change = this.#take(query);
    if (change !== null) this.#readIn(change, FAILED_MS);
  }

  #send(change: Change): boolean {
    const { instrument, mode, owner, reason } = change;
    const command = this.#executor.begin(SET_MARGIN_MODE, instrument);
    command.marginMode = mode;
    change.tries++;
    change.same = change.other = 0;
    change.nextAt = Infinity;
    const isSent = this.#executor.submitMargin(owner, reason, (seq) => {
      change.seq = seq;
    });
    if (!isSent) this.#end(change);
    return isSent;
  }

  /** The account shows another mode. It is asked for again only while the market is flat, and not for ever. */
  #again(change: Change): void {
    const core = this.#core;
    const { instrument, mode, tries } = change;
    const { long, short, orders } = core.desks[instrument]!;
    const isFlat = long.total === 0 && short.total === 0 && orders.live === 0;
    if (isFlat && tries <= policyOf(SET_MARGIN_MODE).tries) return void this.#send(change);
    const detail = `setMarginMode (E10): the account does not show ${MARGIN_MODES[mode]} after ${tries} tries`;
    const symbol = core.instruments[instrument]!.symbol;
    this.#end(change);
    // With a position or an order the venue would refuse it: the strategy has gone on without it.
    if (!isFlat) core.log.warn('margin-mode-unverified', { symbol, detail });
    else core.halts.raise({ scope: { kind: 'symbol', instrument }, code: 'margin-mode-unverified', detail, by: 'bot' });
  }

  #changeOf(seq: number): Change | null {
    for (const change of this.#changes.values()) if (change.seq === seq && seq !== 0) return change;
    return null;
  }

  #ask(change: Change): void {
    change.nextAt = Infinity;
    const query: Query = { kind: 'account', instrument: change.instrument };
    this.#queries.set(query, change);
    this.#asks.ask(query, this);
  }

  #take(query: Query): Change | null {
    const change = this.#queries.get(query) ?? null;
    this.#queries.delete(query);
    return change !== null && this.#changes.get(change.instrument) === change && change.seq === 0 ? change : null;
  }

  #end(change: Change): void {
    this.#changes.delete(change.instrument);
    this.#arm();
  }

  #readIn(change: Change, ms: number): void {
    change.nextAt = this.#core.now + ms;
    this.#arm();
  }

  #arm(): void {
    let next = Infinity;
    for (const change of this.#changes.values()) next = Math.min(next, change.nextAt);
    this.#core.agenda.set(this.#alarm, next);
  }
}
