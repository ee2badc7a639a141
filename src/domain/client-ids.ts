/**
 * The bot's client order ids, `<bot>-<epoch>-<sequence>`. Each start and each rotation begins a new epoch, so that an id is never used
 * twice, even when the journal was lost or put back to an earlier state. The table of epochs is in the store: it tells ids that this
 * journal gave out from ids with our name that it never knew.
 */
import { formatClientId, parseClientId, type IdentitySpec } from './command.ts';

/** Sequence numbers from `from` on, up to the next entry's, belong to `epoch`. */
export interface EpochStart {
  readonly epoch: number;
  readonly from: number;
}

/** What the store keeps, as JSON. */
export interface SavedIds {
  readonly epochs: readonly EpochStart[];
  /** Ids of unknown epochs up to this one belong to a journal that is known to be lost. */
  readonly lostUpTo: number;
  /** The highest epoch that the venue has shown under our name. */
  readonly seen: number;
}

/** More starts than this are not remembered: the oldest epoch counts as lost then. */
const EPOCHS_MAX = 5_000;

/** `seqOf` of an id that another program chose. */
export const FOREIGN_ID = 0;
/** `seqOf` of an id with our name that this journal never gave out. */
export const UNKNOWN_OWN_ID = -1;

export class ClientIds {
  readonly bot: string;
  #epochs: EpochStart[];
  #lostUpTo: number;
  #seen: number;
  /** Ids of unknown own orders that were taken over, by the number they have here, and back. */
  readonly #aliases = new Map<number, string>();
  readonly #numbers = new Map<string, number>();

  constructor(bot: string, { epochs, lostUpTo, seen }: SavedIds) {
    this.bot = bot;
    this.#epochs = [...epochs];
    this.#lostUpTo = lostUpTo;
    this.#seen = seen;
  }

  /** Of a journal that begins: whatever earlier epochs the venue shows are those of a lost one. */
  static begin({ bot, epoch }: IdentitySpec): ClientIds {
    return new ClientIds(bot, { epochs: [{ epoch, from: 1 }], lostUpTo: epoch - 1, seen: 0 });
  }

  /** The epoch of ids that are given out now. */
  get epoch(): number {
    return this.#epochs.at(-1)?.epoch ?? 0;
  }

  /** Unknown own ids of later epochs than this one are news: nobody has said that their journal is lost. */
  get lostUpTo(): number {
    return this.#lostUpTo;
  }

  saved(): SavedIds {
    return { epochs: this.#epochs, lostUpTo: this.#lostUpTo, seen: this.#seen };
  }

  /** Begins the epoch of a new start, from sequence number `nextSeq` on. `nowMs` only makes it grow faster than anybody's clock errs. */
  start(nowMs: number, nextSeq: number): void {
    const epoch = Math.max(this.epoch + 1, Math.floor(nowMs / 1000));
    // An epoch that gave out no id leaves no entry.
    const kept = this.#epochs.filter(({ from }) => from < nextSeq).slice(-EPOCHS_MAX);
    this.#epochs = [...kept, { epoch, from: nextSeq }];
  }

  /**
   * The same above every epoch that was seen, and above that of this second, which a journal that was lost a moment ago may have begun;
   * what the venue shows under our name from before is from a lost journal.
   */
  rotate(nowMs: number, nextSeq: number): void {
    this.start(Math.max(nowMs + 1000, (this.#seen + 1) * 1000), nextSeq);
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

  /** The number of the order with this client id, FOREIGN_ID or UNKNOWN_OWN_ID. `nextSeq` is the first number not given out. */
  seqOf(clientId: string, nextSeq: number): number {
    const { epoch, seq } = parseClientId(this.bot, clientId);
    if (seq === 0) return FOREIGN_ID;
    if (seq < nextSeq && this.#epochOf(seq) === epoch) return seq;
    return this.#numbers.get(clientId) ?? UNKNOWN_OWN_ID;
  }

  /** Order `seq` bears a client id that this journal did not give out. */
  alias(seq: number, clientId: string): void {
    this.#aliases.set(seq, clientId);
    this.#numbers.set(clientId, seq);
  }

  /** The id that `alias` gave order `seq`, else undefined. */
  aliasOf(seq: number): string | undefined {
    return this.#aliases.get(seq);
  }

  /** 0 for numbers before the first epoch that is remembered. */
  #epochOf(seq: number): number {
    let k = this.#epochs.length - 1;
    while (k >= 0 && this.#epochs[k]!.from > seq) k--;
    return k < 0 ? 0 : this.#epochs[k]!.epoch;
  }
}
