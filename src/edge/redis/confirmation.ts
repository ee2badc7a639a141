/**
 * Waits until what was committed survives: on the disk of the primary, and at one replica if there is one. Without the replica's answer
 * commits go on, so that positions can be closed, but opens must not leave: see `risk`.
 */
import { StoreError } from '../../ports/store.ts';
import type { RedisCalls } from './redis-client.ts';
import { canConfirm, readFacts, risksOf, type ServerFacts } from './safety.ts';

export interface ConfirmationOptions {
  /** Longest wait for a confirmation, in milliseconds. */
  readonly waitMs: number;
  /** Accepts settings that may lose confirmed writes. */
  readonly acceptDataLoss: boolean;
  /** Does not wait for replicas: what they lack is lost when one of them is promoted. */
  readonly acceptReplicaLoss: boolean;
}

/** Once a replica was late, commits wait only so long for it until it answers again. */
const LATE_WAIT_MS = 50;

export class Confirmation {
  readonly #client: RedisCalls;
  readonly #options: ConfirmationOptions;
  #needsDisk = false;
  #needsReplica = false;
  #isReplicaLate = false;
  #risks: readonly string[] = [];

  constructor(client: RedisCalls, options: ConfirmationOptions, facts: ServerFacts) {
    this.#client = client;
    this.#options = options;
    this.seen(facts);
  }

  /** Why what is committed may still be lost; "" if it is safe. */
  get risk(): string {
    const late = 'no replica confirms the journal: what a promoted replica lacks would be lost';
    return [...this.#risks, ...(this.#isReplicaLate ? [late] : [])].join('; ');
  }

  /** The server was asked again. */
  seen(facts: ServerFacts): void {
    this.#needsDisk = canConfirm(facts) && facts.sync !== 'always';
    this.#risks = this.#options.acceptDataLoss ? [] : risksOf(facts);
  }

  /** Another primary has taken over, whose replicas may still have to connect. */
  moved(facts: ServerFacts): void {
    this.#needsReplica = false;
    this.#isReplicaLate = false;
    this.seen(facts);
  }

  /**
   * Waits for the last write of this connection, at which `replicas` were online. A replica that was there once is expected to stay.
   * @throws StoreError unreachable if the disk does not confirm the write
   */
  async wait(replicas: number): Promise<void> {
    if (this.#needsDisk) await this.#onDisk();
    this.#needsReplica ||= replicas > 0 && !this.#options.acceptReplicaLoss;
    if (!this.#needsReplica) return;
    const reply = await this.#client.command('WAIT', 1, this.#isReplicaLate ? LATE_WAIT_MS : this.#options.waitMs);
    this.#isReplicaLate = !(Number(reply) >= 1);
  }

  async #onDisk(): Promise<void> {
    const { waitMs } = this.#options;
    let reply: unknown;
    try {
      reply = await this.#client.command('WAITAOF', 1, 0, waitMs);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'poisoned') throw error;
      // The command fails if somebody has switched the file off meanwhile. That is a risk, not the end.
      this.seen(await readFacts(this.#client));
      if (this.#needsDisk) throw error;
      return;
    }
    if (Array.isArray(reply) && reply[0] === 1) return;
    throw new StoreError('unreachable', `redis at ${this.#client.address} did not sync its disk within ${waitMs} ms: check its disk`);
  }
}
