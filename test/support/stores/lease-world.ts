/**
 * Two bots on two machines, one account, and the Redis that decides between them, in one process with virtual time. Store, lease and gate
 * are those of the program. Processes pause, die and stop; requests and replies are late or lost; the server goes down, loses its last
 * writes, or everything. Judged by the list of sent commands.
 */
import { setImmediate } from 'node:timers/promises';
import { Random } from '../../../src/base/random.ts';
import { CLOSE, OPEN, PLACE } from '../../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../src/domain/orders/command.ts';
import { OtherServer, type JournalCalls } from '../../../src/edge/redis/redis-client.ts';
import { openRedisStoreOn } from '../../../src/edge/redis/redis-store.ts';
import type { LeaseTime } from '../../../src/edge/redis/time.ts';
import { StoreError, type Store } from '../../../src/ports/store.ts';
import type { OrderPort } from '../../../src/ports/venue.ts';
import { SILENT_INBOX } from '../../../src/ports/venue-event.ts';
import { DurableGate } from '../../../src/run/bot/store/durable-gate.ts';
import { RedisModel } from './redis-model.ts';

/** Longest time of a request to the venue, and of a call to Redis. */
const REQUEST_MS = 5_000;
const CALL_MS = 2_000;
const LEASE_MS = 15_000;
/** As in the bot: the time of a request, plus a margin. */
const SETTLE_MS = REQUEST_MS + 2_000;
const RUN_MS = 150_000;

interface Event {
  readonly at: number;
  readonly no: number;
  readonly process: Process | null;
  readonly run: () => void;
}

interface Process {
  readonly name: string;
  pausedUntil: number;
  isDead: boolean;
}

/** A sent command: its sender, its send time and its arrival time. */
interface Sent {
  readonly life: string;
  readonly at: number;
  readonly landed: number;
}

export interface LeaseRun {
  /** Sends of one bot during those of another. */
  readonly overlaps: readonly string[];
  readonly sends: number;
  /** Number of processes that sent something. */
  readonly holders: number;
}

/** Runs one world by its seed. */
export async function leaseRun(seed: number): Promise<LeaseRun> {
  return new World(seed).run();
}

class World {
  readonly #random: Random;
  readonly #redis = new RedisModel();
  readonly #sent: Sent[] = [];
  /** Copies of the server's data, for a replica that lags. */
  #copies: { readonly at: number; readonly state: ReturnType<RedisModel['copy']> }[] = [];
  #events: Event[] = [];
  #time = 1_000;
  #no = 0;
  #awayUntil = 0;
  readonly #isShared: boolean;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#isShared = this.#random.uniform() < 0.5;
  }

  async run(): Promise<LeaseRun> {
    for (const name of ['a', 'b']) this.#begin(name, 0, this.#random.below(20_000));
    this.#trouble();
    while (this.#events.length > 0) {
      const event = this.#next();
      if (event.at > RUN_MS) break;
      this.#time = Math.max(this.#time, event.at);
      this.#redis.now = this.#time;
      const { process } = event;
      if (process?.isDead === true) continue;
      if (process !== null && process.pausedUntil > this.#time) this.#at(process.pausedUntil, process, event.run);
      else {
        event.run();
        await setImmediate();
      }
    }
    return { overlaps: overlapsOf(this.#sent), sends: this.#sent.length, holders: new Set(this.#sent.map(({ life }) => life)).size };
  }

  #next(): Event {
    let best = 0;
    for (let k = 1; k < this.#events.length; k++) {
      const [one, other] = [this.#events[k]!, this.#events[best]!];
      if (one.at < other.at || (one.at === other.at && one.no < other.no)) best = k;
    }
    return this.#events.splice(best, 1)[0]!;
  }

  #at(at: number, process: Process | null, run: () => void): void {
    this.#events.push({ at, no: this.#no++, process, run });
  }

  /** Schedules the faults; all are drawn at the start. */
  #trouble(): void {
    const random = this.#random;
    const often = (most: number, work: (at: number) => void): void => {
      for (let k = random.below(most + 1); k > 0; k--) work(random.below(RUN_MS));
    };
    for (let at = 0; at < RUN_MS; at += 250) {
      this.#at(at, null, () => {
        this.#copies = [...this.#copies.filter((copy) => copy.at > at - 4_000), { at, state: this.#redis.copy() }];
      });
    }
    const away = (ms: number): void => void (this.#awayUntil = Math.max(this.#awayUntil, this.#time + ms));
    often(2, (at) => this.#at(at, null, () => away(span(random, 100, 30_000))));
    // A replica takes over that lacks the last writes.
    often(2, (at) =>
      this.#at(at, null, () => {
        const known = this.#copies[random.below(this.#copies.length)];
        if (known !== undefined) this.#redis.restore(known.state);
        this.#redis.begin();
        this.#copies = [];
        away(span(random, 100, 5_000));
      }),
    );
    if (random.uniform() < 0.1) this.#at(random.below(RUN_MS), null, () => this.#redis.flush());
  }

  /** Starts a new process of the bot after some time. */
  #begin(name: string, no: number, inMs: number): void {
    const random = this.#random;
    const process: Process = { name: `${name}${no}`, pausedUntil: 0, isDead: false };
    this.#at(this.#time + inMs, null, () => {
      const begun = this.#time;
      for (let k = random.below(3); k > 0; k--) {
        this.#at(begun + random.below(60_000), null, () => void (process.pausedUntil = this.#time + span(random, 100, 60_000)));
      }
      if (random.uniform() < 0.5) {
        this.#at(begun + random.below(90_000), null, () => {
          if (process.isDead) return;
          process.isDead = true;
          this.#begin(name, no + 1, random.below(30_000));
        });
      }
      void this.#live(process, name).then(() => {
        if (process.isDead) return;
        process.isDead = true;
        this.#begin(name, no + 1, 1_000 + random.below(20_000));
      });
    });
  }

  /** The life of a process, from start to end. */
  async #live(process: Process, name: string): Promise<void> {
    const random = this.#random;
    const time = this.#timeOf(process);
    let store: Store;
    let position: number;
    try {
      store = await openRedisStoreOn(this.#client(process), time, {
        url: 'redis://127.0.0.1:1',
        prefix: this.#isShared ? 'tickwright:one' : `tickwright:${name}`,
        timeoutMs: CALL_MS,
        leaseMs: LEASE_MS,
        waitMs: LEASE_MS + 1_000,
        outageMs: 60_000,
        account: 'account',
        settleMs: SETTLE_MS,
      });
      position = await store.last();
    } catch (error) {
      if (error instanceof StoreError) return;
      throw error;
    }
    let landed = 0;
    let isStopping = false;
    const orders: OrderPort = {
      execute: (command) => {
        // As in the client: an expired command is not sent.
        if (isStopping || time.now() > command.time + command.validMs) return;
        const sent = { life: process.name, at: this.#time, landed: this.#time + random.below(REQUEST_MS) };
        landed = Math.max(landed, sent.landed);
        this.#sent.push(sent);
      },
    };
    const gate = new DurableGate(store, position, orders, SILENT_INBOX);
    const until = time.now() + span(random, 5_000, 150_000);
    let [lookAt, epoch] = [0, 0];
    for (let seq = 1; time.now() < until && gate.failure === null; seq++) {
      if (time.now() >= lookAt) {
        lookAt = time.now() + 1_000;
        if (store.isAway !== true && gate.isMoved) {
          gate.dropWaiting();
          gate.renewed();
          gate.put('epochs', String(++epoch));
        }
        if (store.isAway === true) gate.dropWaiting();
        else await store.check().catch((error: unknown) => gate.fail(error));
      }
      this.#decide(gate, time, seq);
      await time.sleep(span(random, 20, 3_000));
    }
    isStopping = true;
    while (this.#time < landed) await time.sleep(100);
    await gate.settled();
    await store.close();
  }

  /** Journals and sends a command, at once or when its lane releases it. */
  #decide(gate: DurableGate, time: LeaseTime, seq: number): void {
    const random = this.#random;
    const isClose = random.uniform() < 0.3;
    const command = emptyCommand();
    Object.assign(command, { kind: PLACE, seq, effect: isClose ? CLOSE : OPEN, time: time.now(), validMs: isClose ? 20_000 : 5_000 });
    gate.append({ kind: 'command', seq, time: Math.round(time.now()), data: {} });
    const approved = command as Approved<Command>;
    if (random.uniform() < 0.7) gate.execute(approved);
    else void time.sleep(span(random, 10, 4_000)).then(() => gate.execute(approved));
    void gate.flush();
  }

  #timeOf(process: Process): LeaseTime {
    // The clocks of two machines start anywhere, and run at slightly different speeds.
    const [from, rate] = [this.#random.below(1_000_000), 1 + (this.#random.uniform() - 0.5) / 500];
    const after = (ms: number, run: () => void): void => this.#at(this.#time + Math.max(0, ms), process, run);
    return {
      now: () => from + this.#time * rate,
      sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
      every: (ms, work) => {
        let isOn = true;
        const again = (): void =>
          after(ms, () => {
            if (!isOn) return;
            work();
            again();
          });
        again();
        return () => void (isOn = false);
      },
    };
  }

  #client(process: Process): JournalCalls {
    let expected = '';
    const call = (work: () => unknown): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const random = this.#random;
        const late = random.uniform() < 0.05;
        const [up, down] = [late ? random.below(4_000) : random.below(20), random.below(late ? 4_000 : 20)];
        const isLost = random.uniform() < 0.01;
        this.#at(this.#time + CALL_MS, process, () => reject(new StoreError('unreachable', 'no answer in time')));
        this.#at(this.#time + up, null, () => {
          if (this.#time < this.#awayUntil) return;
          const { replicationId } = this.#redis;
          if (expected !== '' && replicationId !== expected) {
            this.#at(this.#time + down, process, () => reject(new OtherServer('model', replicationId)));
            return;
          }
          const reply = work();
          if (!isLost) this.#at(this.#time + down, process, () => resolve(reply));
        });
      });
    return {
      address: 'model',
      command: (name, ...args) => call(() => this.#redis.command(name, ...args)),
      script: (lua, keys, args) => call(() => this.#redis.script(lua, keys, args)),
      expect: (replicationId) => void (expected = replicationId),
      reconnect: () => undefined,
      close: () => undefined,
    };
  }
}

/** Random milliseconds between two bounds, short ones as often as long ones. */
function span(random: Random, least: number, most: number): number {
  return Math.round(least * (most / least) ** random.uniform());
}

/** No bot may send while a command of another process is on its way, nor after another one has sent. */
function overlapsOf(sent: readonly Sent[]): string[] {
  const found: string[] = [];
  const over = new Set<string>();
  let holder = '';
  let landed = 0;
  for (const { life, at, landed: own } of sent) {
    if (life !== holder) {
      if (over.has(life)) found.push(`${life} sends at ${at}, after ${holder} has`);
      else if (at < landed) found.push(`${life} sends at ${at}, what ${holder} sent is on its way until ${landed}`);
      over.add(holder);
      holder = life;
    }
    landed = Math.max(landed, own);
  }
  return found;
}
