/**
 * Sets the margin mode of a symbol (E10). The command sets an absolute state, so it may be repeated. It counts as done when two account
 * reads (E9) that began after the command show the mode, whatever the command's outcome.
 */
import { assert } from '../../../base/failure/assert.ts';
import { MARGIN_MODES, SET_MARGIN_MODE } from '../../../domain/codes.ts';
import type { Answer, Query } from '../../../ports/venue.ts';
import type { Core } from '../../state/core.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Halts } from '../../state/halts.ts';
import type { FillSource } from '../../state/fill-source.ts';
import type { PendingQueries } from '../../polling/queries.ts';
import { Cases, type Case, type CaseOwner } from '../../polling/cases.ts';
import { policyOf } from '../unknown/policy.ts';
import type { Executor } from '../executor.ts';
import type { Owner } from '../../state/records/owner.ts';

/** The shared state that this file uses. */
interface MarginModesCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly fills: FillSource;
}

/** Number of equal reads that are accepted, and the time between two reads. */
const READS = 2;
const READ_MS = 500;
const FAILED_MS = 4_000;

/** One change of the margin mode, by instrument. */
interface Change extends Case {
  readonly owner: Owner;
  readonly mode: number;
  readonly reason: string;
  seq: number;
  tries: number;
  since: number;
  /** Consecutive reads that show the mode, and that show another one. */
  same: number;
  other: number;
}

export class MarginModes implements CaseOwner<Change> {
  readonly #core: MarginModesCore;
  readonly #executor: Executor;
  readonly #changes: Cases<Change>;

  constructor(core: MarginModesCore, executor: Executor, queries: PendingQueries) {
    this.#core = core;
    this.#executor = executor;
    this.#changes = new Cases(core, queries, this);
  }

  /**
   * Starts a change. False while another change of the instrument is in progress, and if a rule refuses. The instrument must be flat and
   * without live orders.
   */
  set(owner: Owner, instrument: number, mode: number, reason: string): boolean {
    if (this.#changes.has(instrument)) return false;
    const change: Change = { key: instrument, nextAt: Infinity, owner, mode, reason, seq: 0, tries: 0, since: 0, same: 0, other: 0 };
    this.#changes.open(change);
    return this.#send(change);
  }

  /** The outcome of command `seq`. */
  outcome(seq: number, how: 'accepted' | 'refused' | 'unknown'): void {
    const change = this.#changeOf(seq);
    if (change === null) return;
    if (how === 'refused' || (how === 'accepted' && !this.#core.fills.readsOrders)) return this.#changes.close(change);
    change.seq = 0;
    change.since = this.#core.now;
    this.#changes.wait(change, 0);
  }

  turn(change: Change): void {
    this.#changes.ask(change, { kind: 'account', instrument: change.key });
  }

  answered(query: Query, answer: Answer, sentAt: number): void {
    const change = this.#take(query);
    if (change === null || answer.kind !== 'account') return;
    const core = this.#core;
    if (sentAt < change.since) return this.#changes.wait(change, READ_MS);
    const isSame = answer.account.marginMode === change.mode;
    change.same = isSame ? change.same + 1 : 0;
    change.other = isSame ? 0 : change.other + 1;
    assert(change.same === 0 || change.other === 0, 'reads in a row show one margin mode', change.same, 'instrument', change.key);
    if (change.same >= READS) {
      core.log.info('margin-mode-set', { symbol: core.instruments[change.key]!.symbol, mode: MARGIN_MODES[change.mode] });
      return this.#changes.close(change);
    }
    if (change.other >= READS) return this.#again(change);
    this.#changes.wait(change, READ_MS);
  }

  failed(query: Query): void {
    const change = this.#take(query);
    if (change !== null) this.#changes.wait(change, FAILED_MS);
  }

  #send(change: Change): boolean {
    const { key: instrument, mode, owner, reason } = change;
    assert(change.seq === 0, 'one command of a margin mode is in flight at a time', change.seq, 'instrument', instrument);
    const command = this.#executor.begin(SET_MARGIN_MODE, instrument);
    command.marginMode = mode;
    change.tries++;
    change.same = change.other = 0;
    change.nextAt = Infinity;
    const isSent = this.#executor.submitMargin(owner, reason, (seq) => {
      change.seq = seq;
    });
    if (!isSent) this.#changes.close(change);
    return isSent;
  }

  /** The account shows another mode. The command is repeated only while the instrument is flat, and a limited number of times. */
  #again(change: Change): void {
    const core = this.#core;
    const { key: instrument, mode, tries } = change;
    const { long, short, orders } = core.contexts[instrument]!;
    const isFlat = long.total === 0 && short.total === 0 && orders.live === 0;
    if (isFlat && tries <= policyOf(SET_MARGIN_MODE).tries) return void this.#send(change);
    const detail = `setMarginMode (E10): the account does not show ${MARGIN_MODES[mode]} after ${tries} tries`;
    const symbol = core.instruments[instrument]!.symbol;
    this.#changes.close(change);
    // With a position or an order the venue would refuse the change, so the change is dropped.
    if (!isFlat) core.log.warn('margin-mode-unverified', { symbol, detail });
    else core.halts.raise({ scope: { kind: 'symbol', instrument }, code: 'margin-mode-unverified', detail, by: 'bot' });
  }

  #changeOf(seq: number): Change | null {
    for (const change of this.#changes.all()) if (change.seq === seq && seq !== 0) return change;
    return null;
  }

  /** The change that requested this read, unless its command was sent again meanwhile. */
  #take(query: Query): Change | null {
    const change = this.#changes.asked(query);
    return change !== null && change.seq === 0 ? change : null;
  }
}
