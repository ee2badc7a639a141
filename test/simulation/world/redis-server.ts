/** A Redis on virtual time, and the real store and lease of the bot on it. */
import { Random } from '../../../src/base/random.ts';
import { OtherServer, type JournalCalls } from '../../../src/edge/redis/redis-client.ts';
import { openRedisStoreOn } from '../../../src/edge/redis/redis-store.ts';
import type { LeaseTime } from '../../../src/edge/redis/time.ts';
import { StoreError, type Store } from '../../../src/ports/store.ts';
import { RedisModel } from '../../support/stores/redis-model.ts';
import { TIMEOUT_MS } from './network.ts';

const CALL_MS = 500;
const LEASE_MS = 4_000;
const SETTLE_MS = TIMEOUT_MS + 7_500;

/** A process that can die and stand still; null for none. */
type Process = { readonly isDead: boolean; readonly pausedUntil: number } | null;

export interface ServerDeps {
  readonly now: () => number;
  readonly after: (ms: number, process: Process, run: () => void) => void;
  readonly seed: number;
}

export class RedisServer {
  readonly #model = new RedisModel();
  readonly #deps: ServerDeps;
  readonly #random: Random;
  #awayUntil = 0;

  constructor(parts: ServerDeps) {
    this.#deps = parts;
    this.#random = new Random(parts.seed * 11 + 1);
  }

  away(ms: number): void {
    this.#awayUntil = Math.max(this.#awayUntil, this.#deps.now() + ms);
  }

  /** The store of a bot whose process is `process`, which waits for its lease. */
  open(process: () => Process, name: string): Promise<Store> {
    const time = this.#timeOf(process);
    return openRedisStoreOn(this.#client(process), time, {
      url: 'redis://127.0.0.1:1',
      prefix: 'tickwright:one',
      timeoutMs: CALL_MS,
      leaseMs: LEASE_MS,
      waitMs: LEASE_MS + 1_000,
      outageMs: 20_000,
      account: name === '' ? '' : 'account',
      settleMs: SETTLE_MS,
    });
  }

  #timeOf(process: () => Process): LeaseTime {
    const { after, now } = this.#deps;
    const from = this.#random.below(1_000_000);
    return {
      now: () => from + now(),
      sleep: (ms) => new Promise((resolve) => after(Math.max(0, ms), process(), resolve)),
      every: (ms, work) => {
        let isOn = true;
        const again = (): void =>
          after(ms, process(), () => {
            if (!isOn) return;
            work();
            again();
          });
        again();
        return () => void (isOn = false);
      },
    };
  }

  #client(process: () => Process): JournalCalls {
    const { after, now } = this.#deps;
    let expected = '';
    const call = (work: () => unknown): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const [up, down] = [this.#random.below(20), this.#random.below(20)];
        after(CALL_MS, process(), () => reject(new StoreError('unreachable', 'no answer in time')));
        after(up, null, () => {
          if (now() < this.#awayUntil) return;
          this.#model.now = now();
          const { replicationId } = this.#model;
          if (expected !== '' && replicationId !== expected) {
            after(down, process(), () => reject(new OtherServer('model', replicationId)));
            return;
          }
          const reply = work();
          after(down, process(), () => resolve(reply));
        });
      });
    return {
      address: 'model',
      command: (name, ...args) => call(() => this.#model.command(name, ...args)),
      script: (lua, keys, args) => call(() => this.#model.script(lua, keys, args)),
      expect: (replicationId) => void (expected = replicationId),
      reconnect: () => undefined,
      close: () => undefined,
    };
  }
}
