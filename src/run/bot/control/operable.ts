/** The interface of a running bot for control commands. */
import type { LimitLevel } from '../../../domain/messages/why.ts';
import type { OrderAnswer, RefusalAnswer, StatusAnswer, WhyAnswer } from '../../../control/answers.ts';
import type { AddedStrategy } from '../../../domain/ready-made.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { Lines } from '../../../edge/node-http.ts';
import type { OperatorCommand, OperatorResult } from '../../../engine/operator/command.ts';
import type { StoredRecord, StoreImage } from '../../../ports/store.ts';
import type { ReloadedTexts } from '../../session/strategy-texts.ts';
import type { ProfitIndex } from '../answers/profit.ts';

/** What is wrong with one input of a form; `field` is "" for all of them together. */
export type FieldProblem = NonNullable<RefusalAnswer['problems']>[number];

/** A ready-made bot that may be added, and what it will do, a sentence each. */
export interface Addition {
  readonly name: string;
  readonly added: AddedStrategy;
  readonly effects: readonly string[];
}

export interface Operable {
  /** Converts order numbers to client ids and back. */
  readonly ids: Pick<ClientIds, 'idOf' | 'placerOf' | 'seqOf' | 'epoch'>;
  /** Starts a new epoch for client ids and returns it. */
  rotateEpoch(): number;
  readonly instruments: readonly Instrument[];
  status(): StatusAnswer;
  /** Why the strategies do not trade now. */
  /** `what`: a symbol that is looked at also if it is only a candidate of a universe. */
  why(what: string): WhyAnswer;
  /** How near each limit is, the nearest first. */
  levels(): readonly LimitLevel[];
  /** Own orders that may still be live, oldest first. */
  orders(): readonly OrderAnswer[];
  /** The journal from `position` on, by default from its beginning. */
  records(position?: number): AsyncIterable<StoredRecord>;
  /** Position of the last record, 0 if there is none. */
  lastRecord(): Promise<number>;
  /** What the store has now, but its records; null if it is in memory. */
  image(): Promise<(StoreImage & { readonly bot: string; readonly store: 'embedded' | 'redis' }) | null>;
  /** Sums of the journal's records about money. */
  profit(): Promise<ProfitIndex>;
  /** Loads the file of a strategy as it stands on disk now, beside what runs. "": the only strategy. @throws Failure */
  reread(strategy: string): Promise<ReloadedTexts | null>;
  /** Checks a ready-made bot that is to be added. @throws Failure if this bot takes none */
  addition(given: Readonly<Record<string, string>>): Promise<Addition | readonly FieldProblem[]>;
  /** Stops and opens the bot again, once the journal has everything and the answer has left. */
  openAgain(): void;
  /** Writes a journal record for a command that is executed elsewhere. */
  note(facts: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Writes the command to the journal, executes it, and resolves when the result is durable. `askedAt`: when its caller asked for it, in
   * milliseconds on the machine's steady clock.
   */
  operate(command: OperatorCommand, askedAt: number): Promise<OperatorResult>;
  /** Ends this process: it may open nothing any more. */
  endFenced(why: string): void;
  /** Resolves to true when all of that is in the journal, to false if the journal has failed. */
  durable(): Promise<boolean>;
  /** The answer to a halt that was asked for through a file; null if there was no such request. */
  asked(id: string): Promise<OperatorResult> | null;
  /** New log lines, after those from `since` on. @throws RangeError if some of these are no longer kept */
  tail(since: number): Lines;
  /** Changes after the one with this id; "" begins with what holds now. */
  changes(after: string): Lines;
}

/** The data that queries need, from a running or a stopped bot. */
export interface QuerySource extends Pick<Operable, 'ids' | 'instruments' | 'status' | 'orders'> {
  /** Absent for a stopped bot. */
  why?(what: string): WhyAnswer;
  levels?(): readonly LimitLevel[];
  records(from?: number): AsyncIterable<StoredRecord> | Iterable<StoredRecord>;
  lastRecord(): Promise<number> | number;
  profit(): Promise<ProfitIndex> | ProfitIndex;
}
