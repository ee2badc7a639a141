/** A running bot as the control plane sees it. */
import type { OrderAnswer, StatusAnswer } from '../../control/answers.ts';
import type { ClientIds } from '../../domain/client-ids.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { ControlStream } from '../../edge/control/server.ts';
import type { OperatorCommand, OperatorResult } from '../../engine/operator/command.ts';
import type { StoredRecord } from '../../ports/store.ts';

export interface Operable {
  /** Client ids of orders, and back. */
  readonly ids: Pick<ClientIds, 'idOf' | 'seqOf'>;
  /** The client ids of the next orders belong to this epoch from now on. */
  rotateEpoch(): number;
  readonly instruments: readonly Instrument[];
  status(): StatusAnswer;
  /** Own orders that may still live, oldest first. */
  orders(): readonly OrderAnswer[];
  /** The journal from its beginning. */
  records(): AsyncIterable<StoredRecord>;
  /** Writes a command down that is carried out elsewhere. */
  note(facts: Readonly<Record<string, unknown>>): Promise<void>;
  /** Writes the command down, carries it out, and resolves when that is durable too. */
  operate(command: OperatorCommand): Promise<OperatorResult>;
  /** The log's lines as they come. */
  readonly tail: ControlStream;
}
