/** The folder beside the store where halts are asked for: it outlives every process, as a file does. */
import type { HaltRequest } from '../../../src/edge/file/beside/halt-requests.ts';
import type { OperatorCommand } from '../../../src/engine/operator/command.ts';
import type { AskedDeps } from '../../../src/run/bot/store/asked-halts.ts';

export class Requests {
  readonly #requests = new Map<string, HaltRequest>();
  readonly #onTaken: () => void;
  readonly #onWhole: (name: string) => void;
  #count = 0;

  /** `onTaken`: a process goes on with what it found, in promises. `onWhole`: a halt of the whole bot was recorded. */
  constructor(onTaken: () => void, onWhole: (name: string) => void) {
    this.#onTaken = onTaken;
    this.#onWhole = onWhole;
  }

  /** Records a halt or kill. False for another command. */
  isTaking(command: OperatorCommand, time: number): boolean {
    const { name, by, why } = command;
    if (name !== 'halt' && name !== 'kill') return false;
    const scope = 'scope' in command ? command.scope : '';
    const id = `r${++this.#count}`;
    this.#requests.set(id, { id, name, scope, by, why, time });
    if (name === 'kill' || scope === 'all') this.#onWhole(name);
    return true;
  }

  /** As one process sees it: after its end it removes nothing. */
  seenBy(isDead: () => boolean): AskedDeps['requests'] {
    const requests = this.#requests;
    const onTaken = this.#onTaken;
    return {
      path: 'halt-requests',
      get isEmpty() {
        return requests.size === 0;
      },
      read: () => {
        onTaken();
        return [...requests.values()];
      },
      remove: (id) => {
        if (!isDead()) requests.delete(id);
      },
      tidy: () => undefined,
    };
  }
}
