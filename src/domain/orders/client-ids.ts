/**
 * The bot's client order ids, `<bot>-<epoch>-<sequence>`. Each start and each rotation begins a new epoch, so an id is never used twice,
 * even if the journal was lost or restored. The store keeps the table of epochs, which tells ids issued by this journal from unknown ids
 * with our name.
 */
import { formatClientId, isWatchdogSeq, parseClientId, type IdentitySpec } from './command.ts';

/** Sequence numbers from `from` up to the next entry belong to `epoch`. */
export interface EpochStart {
  readonly epoch: number;
  readonly from: number;
}

/** The state in the store, as JSON. */
export interface SavedIds {
  readonly epochs: readonly EpochStart[];
  /** Unknown ids of epochs up to this one belong to a journal that is known to be lost. */
  readonly lostUpTo: number;
  /** The highest epoch that the venue has shown under our name. */
  readonly seen: number;
  /** Numbers that orders of a watchdog got in this journal, with their ids; the newest last. Absent for none. */
  readonly closes?: readonly (readonly [seq: number, clientId: string])[];
}

/** Largest number of ids of a watchdog that are kept. */
const CLOSES_MAX = 1_000;
/** Largest number of epochs that are kept; an older epoch counts as lost. */
const EPOCHS_MAX = 5_000;

/** Result of `seqOf` for an id of another program. */
export const FOREIGN_ID = 0;
/** Result of `seqOf` for an id with our name that this journal never issued. */
export const UNKNOWN_OWN_ID = -1;

export class ClientIds {
  readonly bot: string;
  #epochs: EpochStart[];
  #lostUpTo: number;
  #seen: number;
  /** Ids of adopted unknown own orders by the number that they got here, and the reverse. */
  readonly #aliases = new Map<number, string>();
  readonly #numbers = new Map<string, number>();

  constructor(bot: string, { epochs, lostUpTo, seen, closes = [] }: SavedIds) {
    this.bot = bot;
    this.#epochs = [...epochs];
    this.#lostUpTo = lostUpTo;
    this.#seen = seen;
    for (const [seq, clientId] of closes) this.alias(seq, clientId);
  }

  /** For a new journal: earlier epochs that the venue shows belong to a lost one. */
  static begin({ bot, epoch }: IdentitySpec): ClientIds {
    return new ClientIds(bot, { epochs: [{ epoch, from: 1 }], lostUpTo: epoch - 1, seen: 0 });
  }

  /** The epoch of newly issued ids. */
  get epoch(): number {
    return this.#epochs.at(-1)?.epoch ?? 0;
  }

  /** Unknown own ids of later epochs are unexpected: no operator has confirmed that their journal is lost. */
  get lostUpTo(): number {
    return this.#lostUpTo;
  }

  saved(): SavedIds {
    const closes = [...this.#aliases].filter(([, clientId]) => this.#isWatchdogs(clientId)).slice(-CLOSES_MAX);
    return { epochs: this.#epochs, lostUpTo: this.#lostUpTo, seen: this.#seen, ...(closes.length === 0 ? {} : { closes }) };
  }

  /** Begins the epoch of a new start, from sequence number `nextSeq` on. `nowMs` makes epochs grow faster than any clock error. */
  start(nowMs: number, nextSeq: number): void {
    const epoch = Math.max(this.epoch + 1, Math.floor(nowMs / 1000));
    // An epoch without ids needs no entry.
    const kept = this.#epochs.filter(({ from }) => from < nextSeq).slice(-EPOCHS_MAX);
    this.#epochs = [...kept, { epoch, from: nextSeq }];
  }

  /**
   * Begins an epoch above every observed epoch and above the current second, which a lost journal may just have used. Older ids of our name
   * then count as from a lost journal.
   */
  rotate(nowMs: number, nextSeq: number): void {
    this.start(Math.max(nowMs + 1000, (this.#seen + 1) * 1000), nextSeq);
    this.#lostUpTo = this.epoch - 1;
  }

  /**
   * Begins an epoch for a journal that was put back to an earlier state, `gap` seconds above what is known of epochs and of the time. The records that
   * are lost may have used any epoch near that; their ids then count as from a lost journal.
   */
  restore(nowMs: number, nextSeq: number, gap: number): void {
    this.start((Math.max(Math.floor(nowMs / 1000), this.epoch, this.#seen) + gap) * 1000, nextSeq);
    this.#lostUpTo = this.epoch - 1;
  }

  /** The venue shows `epoch` under our name. */
  sighted(epoch: number): void {
    this.#seen = Math.max(this.#seen, epoch);
  }

  /** The client id of order `seq`. */
  idOf(seq: number): string {
    const alias = this.#aliases.size === 0 ? undefined : this.#aliases.get(seq);
    return alias ?? formatClientId({ bot: this.bot, epoch: this.#epochOf(seq) }, seq);
  }

  /** The number of the order with this client id, or FOREIGN_ID or UNKNOWN_OWN_ID. `nextSeq` is the first number that is not issued. */
  seqOf(clientId: string, nextSeq: number): number {
    const { epoch, seq } = parseClientId(this.bot, clientId);
    if (seq === 0) return FOREIGN_ID;
    if (seq < nextSeq && !isWatchdogSeq(seq) && this.#epochOf(seq) === epoch && this.aliasOf(seq) === undefined) return seq;
    return this.#numbers.get(clientId) ?? UNKNOWN_OWN_ID;
  }

  /** Order `seq` has a client id that this journal did not issue. */
  alias(seq: number, clientId: string): void {
    this.#aliases.set(seq, clientId);
    this.#numbers.set(clientId, seq);
  }

  /** The id that `alias` assigned to order `seq`, else undefined. */
  aliasOf(seq: number): string | undefined {
    return this.#aliases.get(seq);
  }

  /** True if nobody knows who placed order `seq` under our name: it is in no journal, and no watchdog noted it. */
  isUnexplained(seq: number): boolean {
    const alias = this.aliasOf(seq);
    return alias !== undefined && !this.#isWatchdogs(alias);
  }

  /** Who placed order `seq` under our name, if this journal did not number it; undefined if it did. */
  placerOf(seq: number): 'watchdog' | 'unknown' | undefined {
    if (this.aliasOf(seq) === undefined) return undefined;
    return this.isUnexplained(seq) ? 'unknown' : 'watchdog';
  }

  #isWatchdogs(clientId: string): boolean {
    return isWatchdogSeq(parseClientId(this.bot, clientId).seq);
  }

  /** 0 for numbers before the first epoch that is kept. */
  #epochOf(seq: number): number {
    let k = this.#epochs.length - 1;
    while (k >= 0 && this.#epochs[k]!.from > seq) k--;
    return k < 0 ? 0 : this.#epochs[k]!.epoch;
  }
}
