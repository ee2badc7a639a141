/**
 * Commands of operators on a running bot. A command acts once its record is durable. A command that stops opens acts at once, because it must
 * not wait; its record and its halt are one commit. If opens are stopped while another command waits for its record, that command is refused:
 * it was typed before the stop and must not undo it.
 */
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { OperatorCommand, OperatorResult } from '../../../engine/operator/command.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import type { AskedHalts } from '../store/asked-halts.ts';
import type { DurableGate } from '../store/durable-gate.ts';
import type { EventLoop } from '../life/event-loop.ts';

export interface OperationParts {
  readonly events: Pick<KernelInbox, 'operate'>;
  readonly loop: Pick<EventLoop, 'take'>;
  readonly gate: Pick<DurableGate, 'append' | 'durable'>;
  /** Resolves when the journal has taken all that is queued; false when it has not within a while. */
  readonly durable: () => Promise<boolean>;
  /** Halts that were asked for through files, possibly before a command that is given now. */
  readonly asked: Pick<AskedHalts, 'look'>;
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
    const { asked, durable, events, gate, loop } = this.#parts;
    if (asked.look() && mayAllowOpens(command)) return { result: OVERTAKEN, isDurable: true };
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

  /** Adds a record of what an operator did to the journal. */
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
