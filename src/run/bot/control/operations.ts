/**
 * Commands of operators on a running bot. A command acts once its record is durable. A command that stops opens acts at once, because it must
 * not wait; its record and its halt are one commit. A command that ends halts is refused if it was asked for before the last halt within its
 * scope began, by a person or by the bot, however long it waited for its record or for a bot that stood still: whoever asked for it did not
 * know of that halt.
 */
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { OperatorCommand, OperatorResult } from '../../../engine/operator/command.ts';
import { shortHash } from '../../../engine/strategy/definition/source.ts';
import { isWithin } from '../../../engine/state/halts.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import type { AskedHalts } from '../store/asked-halts.ts';
import type { DurableGate } from '../store/durable-gate.ts';
import type { EventLoop } from '../life/event-loop.ts';

export interface OperationDeps {
  readonly kernel: Pick<Kernel, 'onHalt' | 'scopeOf'>;
  readonly events: Pick<KernelInbox, 'operate'>;
  readonly loop: Pick<EventLoop, 'take'>;
  readonly gate: Pick<DurableGate, 'append' | 'durable'>;
  /** Resolves when the journal has taken all that is queued; false when it has not within a while. */
  readonly durable: () => Promise<boolean>;
  /** Halts that were asked for through files, possibly before a command that is given now. */
  readonly asked: Pick<AskedHalts, 'look'>;
  /** The bot's time, for the records. */
  readonly now: () => number;
  /** The machine's steady clock, by which commands were asked for, and when this process began by it. */
  readonly machineNow: () => number;
  readonly begunAt: number;
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
  readonly #deps: OperationDeps;
  /** By scope: when its last halt began or was asked for again, on the machine's clock. */
  readonly #haltedAt = new Map<string, number>();

  constructor(deps: OperationDeps) {
    this.#deps = deps;
    deps.kernel.onHalt((scope) => this.#haltedAt.set(scope, deps.machineNow()));
  }

  /** Executes a command. `askedAt`: when its caller asked for it, on the machine's clock. */
  async operate(command: OperatorCommand, askedAt: number): Promise<Operated> {
    const { asked, durable, events, gate, kernel, loop, now, machineNow } = this.#deps;
    asked.look();
    if (this.#isOvertaken(command, askedAt)) return { result: OVERTAKEN, isDurable: true };
    let result = null as OperatorResult | null;
    const act = (): void => {
      const scope = isStop(command) || command.name === 'flatten' ? kernel.scopeOf(scopeWord(command)) : null;
      if (scope !== null) this.#haltedAt.set(scope, machineNow());
      result = events.operate(command);
    };
    // What is taken over has left already: nothing must be decided before the bot knows of it.
    if (isStop(command) || command.name === 'import-closes') {
      loop.take(() => {
        gate.append(recordOf(dataOf(command), now()));
        act();
      });
    } else {
      this.note(dataOf(command));
      await durable();
      if (this.#isOvertaken(command, askedAt)) return { result: OVERTAKEN, isDurable: true };
      loop.take(act);
    }
    const isDurable = await durable();
    // A sender who hears that a signal was taken never sends it again.
    if (command.name === 'signal' && result?.ok === true && !isDurable) return { result: NOT_KEPT, isDurable };
    return { result: result ?? STOPPING, isDurable };
  }

  /** True if it ends halts, and one within its scope began after it was asked for. The process before this one may have had any halt. */
  #isOvertaken(command: OperatorCommand, askedAt: number): boolean {
    if (!endsHalts(command)) return false;
    const { begunAt, kernel } = this.#deps;
    const scope = kernel.scopeOf(scopeWord(command));
    const isLater = ([of, at]: readonly [string, number]): boolean => at >= askedAt && scope !== null && isWithin(of, scope);
    return askedAt <= begunAt || [...this.#haltedAt].some(isLater);
  }

  /** Adds a record of what an operator did to the journal. */
  note(data: JournalRecord['data']): void {
    this.#deps.loop.take(() => this.#deps.gate.append(recordOf(data, this.#deps.now())));
  }
}

const STOPPING: OperatorResult = { ok: false, code: 'refused', message: 'the bot is stopping', hint: 'start it again' };
const NOT_KEPT: OperatorResult = {
  ok: false,
  code: 'not-durable',
  message: 'the strategy was called, and the journal does not have yet what it asked for: a restart may lose it',
  hint: 'look at `tickwright orders` and at the store before you send it again',
};
const OVERTAKEN: OperatorResult = {
  ok: false,
  code: 'refused',
  message: 'opens were halted after this command was typed, or at the same time',
  hint: 'look at `tickwright status`, then type it again',
};

function endsHalts(command: OperatorCommand): boolean {
  return command.name === 'resume' || (command.name === 'reduce-only' && !command.isOn);
}

/** Its scope as it was typed; that of a kill is the whole bot. */
function scopeWord(command: OperatorCommand): string {
  return 'scope' in command ? command.scope : 'all';
}

/** The texts of a reload are in the record of the change itself. */
function dataOf(command: OperatorCommand): JournalRecord['data'] {
  return command.name === 'reload' ? { ...command, source: shortHash(command.source), before: shortHash(command.before) } : { ...command };
}

function recordOf(data: JournalRecord['data'], time: number): JournalRecord {
  return { kind: 'operator', seq: 0, time, data };
}
