/**
 * Commands of operators on a running bot. The command's record is made durable before the command acts. What stops opens acts at once, and
 * its record and its halt are one commit: what it sends waits for that commit as every command does. A command that waits for its record
 * while opens are stopped is refused: what was typed first must not undo what was typed after it.
 */
import type { KernelInbox } from '../../engine/inbox.ts';
import type { OperatorCommand, OperatorResult } from '../../engine/operator/command.ts';
import type { JournalRecord } from '../../ports/store.ts';
import type { DurableGate } from './durable-gate.ts';
import type { EventLoop } from './event-loop.ts';

export interface OperationParts {
  readonly events: Pick<KernelInbox, 'operate'>;
  readonly loop: Pick<EventLoop, 'take'>;
  readonly gate: Pick<DurableGate, 'append' | 'durable'>;
  /** Resolves when the journal has taken all that is queued; false when it has not within a while. */
  readonly durable: () => Promise<boolean>;
}

const STOPS: ReadonlySet<OperatorCommand['name']> = new Set(['halt', 'kill', 'reduce-only']);

/** True if the command stops opens, so that it acts before its record is durable. */
export function isStop(command: OperatorCommand): boolean {
  return STOPS.has(command.name) && (command.name !== 'reduce-only' || command.isOn);
}

export interface Operated {
  readonly result: OperatorResult;
  readonly isDurable: boolean;
}

export class Operations {
  readonly #parts: OperationParts;
  /** How many commands have stopped opens. */
  #stops = 0;

  constructor(parts: OperationParts) {
    this.#parts = parts;
  }

  /** Executes a command that is given at `now`. */
  async operate(command: OperatorCommand, now: number): Promise<Operated> {
    const { durable, events, gate, loop } = this.#parts;
    let result = null as OperatorResult | null;
    const act = (): void => {
      result = events.operate(command);
    };
    if (isStop(command)) {
      this.#stops++;
      loop.take(() => {
        gate.append(recordOf({ ...command }, now));
        act();
      });
    } else {
      const stops = this.#stops;
      this.note({ ...command }, now);
      await durable();
      if (stops !== this.#stops && mayAllowOpens(command)) return { result: OVERTAKEN, isDurable: true };
      loop.take(act);
    }
    return { result: result ?? STOPPING, isDurable: await durable() };
  }

  /** Adds a record of an operator's doing to the journal. */
  note(data: JournalRecord['data'], time: number): void {
    this.#parts.loop.take(() => this.#parts.gate.append(recordOf(data, time)));
  }
}

const STOPPING: OperatorResult = { ok: false, code: 'refused', message: 'the bot is stopping', hint: 'start it again' };
const OVERTAKEN: OperatorResult = {
  ok: false,
  code: 'refused',
  message: 'opens were halted while this command was being written to the journal',
  hint: 'look at `tickwright status`, then type it again',
};

function mayAllowOpens({ name }: OperatorCommand): boolean {
  return name === 'resume' || name === 'reduce-only';
}

function recordOf(data: JournalRecord['data'], time: number): JournalRecord {
  return { kind: 'operator', seq: 0, time, data };
}
