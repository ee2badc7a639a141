/**
 * The exchange's ledger: its ground truth on disk, and how it survives kill -9. Two logs and a snapshot stand in one folder.
 * `inputs-N.jsonl` holds what reached the exchange since snapshot N (market rows and signed writes); the simulator is
 * deterministic, so the snapshot and these inputs give back every balance, order, position and counter. `ledger.jsonl` holds what
 * came of it, for ever: requests, orders, ends, fills, cash, steps of liquidations. Both are written before the reply that shows their effect.
 * size: one class holds the order of all writes
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import { endpointById } from '../../contract/endpoints/endpoints.ts';
import type { Handler, Reply, WireRequest } from '../../contract/envelope.ts';
import type { Clock } from '../../ports/clock.ts';
import { jsonPieces } from '../../base/lazy.ts';
import { filesIn, inputsPath, newestInputs, removeInputs } from './ledger-folder.ts';
import type { LedgerFiles } from './ledger-files.ts';
import { StateWriter } from './state-writer.ts';
import { parseInput, readState, recall, VERSION, type Input, type LedgerState, type Performed } from './ledger-state.ts';
import {
  LedgerError,
  type FaultRecord,
  type FaultTold,
  type LedgeredExchange,
  type LedgerOptions,
  type OfAccount,
  type Resumed,
} from './ledger-types.ts';
import { isNote, type LedgerPage, type NoteKind } from './ledger-page.ts';
import { LineFile } from './line-file.ts';
import { takeLock, type FolderLock } from './lock.ts';

export {
  LedgerError,
  type FaultRecord,
  type FaultTold,
  type LedgeredExchange,
  type LedgerErrorCode,
  type LedgerOptions,
  type Resumed,
} from './ledger-types.ts';

const SNAPSHOT_BYTES = 8 << 20;
const SEGMENT_BYTES = 64 << 20;
/** Pending characters of market rows that are written without waiting for a reply. */
const FLUSH_AT = 1 << 16;

/**
 * Opens or creates the ledger in `folder`. Build the simulator with `ledger.sink`, then call `ledger.start`.
 * @throws LedgerError locked | foreign | corrupt
 */
export function openLedger(folder: string, options: LedgerOptions): Ledger {
  return new Ledger(folder, options);
}

export class Ledger {
  /** The simulator's sink. */
  readonly sink = {
    order: (orderNo: number): void => this.#write('order', { order: this.#named(this.#started().order(orderNo)) }),
    ended: (orderNo: number, how: number): void => this.#write('end', { orderNo, how }),
    fill: (fill: OfAccount): void => this.#write('fill', { fill: this.#named(fill) }),
    cash: (account: number, coin: string, amount: number, why: string, orderNo: number, wallet: 'futures' | 'spot'): void =>
      this.#write('cash', { account: this.#accounts[account], wallet, coin, amount, why, orderNo }),
    step: (step: OfAccount): void => this.#write('step', { step: this.#named(step) }),
  };
  /** Venue time for the exchange: that of the call in hand, also when it is replayed. */
  readonly clock: Clock = { now: () => this.#callTime ?? this.#venueClock.now() };
  /** The exchange's handler, recorded: all that a call did is on disk before its reply is known. */
  readonly handler: Handler = (endpoint, request) => this.#handle(endpoint, request);
  readonly #venueClock: Clock;
  readonly #names: ReadonlyMap<string, string>;
  readonly #keys: ReadonlyMap<string, string>;
  /** Names by number. */
  readonly #accounts: readonly string[];
  readonly #folder: string;
  readonly #identity: string;
  readonly #snapshotBytes: number;
  readonly #lock: FolderLock;
  readonly #segmentBytes: number;
  readonly #keepSegments: number;
  readonly #ledger: LedgerFiles;
  readonly #state: LedgerState | null;
  #inputs: LineFile;
  #exchange: LedgeredExchange | null = null;
  #generation: number;
  #snapshotDueAt: number;
  /** Bytes of the ledger that the last snapshot covers. */
  #savedBytes: number;
  /** The snapshot that is being written, null mostly. */
  #saving: StateWriter | null = null;
  #lines = 0;
  #rows = 0;
  #requests = 0;
  /** Number of the request being handled, 0 outside of one. */
  #request = 0;
  #time = 0;
  #callTime: number | null = null;
  /** Lines of ledger.jsonl beyond the snapshot: the replay must give them again. */
  #known: string[] = [];
  #failed: unknown = null;

  constructor(folder: string, options: LedgerOptions) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#identity = options.identity;
    this.#venueClock = options.clock;
    this.#names = options.names;
    this.#keys = new Map([...options.names].map(([key, name]) => [name, key]));
    this.#accounts = [...options.names.values()];
    this.#snapshotBytes = options.snapshotBytes ?? SNAPSHOT_BYTES;
    this.#snapshotDueAt = this.#snapshotBytes;
    this.#segmentBytes = options.segmentBytes ?? SEGMENT_BYTES;
    this.#keepSegments = options.keepSegments ?? Infinity;
    this.#lock = takeLock(join(folder, 'lock'), (message) => new LedgerError('locked', message));
    try {
      this.#state = readState(join(folder, 'state.json'), options.identity);
      this.#generation = newestInputs(folder, this.#state?.generation ?? 0);
      this.#ledger = filesIn(folder, this.#state?.place);
      this.#inputs = new LineFile(inputsPath(folder, this.#generation));
      this.#savedBytes = this.#state?.bytes ?? 0;
      this.#known = [...this.#ledger.lines(this.#savedBytes)].reverse();
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  /** Joins the exchange, brings it to where the folder left off, and begins to record. @throws LedgerError corrupt */
  start(exchange: LedgeredExchange): Resumed {
    this.#exchange = exchange;
    const state = this.#state;
    try {
      if (state !== null) this.#restore(state, exchange);
      this.#replay();
      this.flush();
      if (state === null) this.snapshot();
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    return { resumed: state !== null, rows: this.#rows, time: this.#time };
  }

  #restore(state: LedgerState, exchange: LedgeredExchange): void {
    this.#lines = state.lines;
    this.#rows = state.rows;
    this.#requests = state.requests;
    this.#time = state.time;
    exchange.restore(state.state);
  }

  quote(instrument: number, bid: number, bidSize: number, ask: number, askSize: number, time: number): void {
    this.#input(`["q",${instrument},${bid},${bidSize},${ask},${askSize},${time}]`, time);
    this.#rows++;
    this.#whole(() => this.#started().quote(instrument, bid, bidSize, ask, askSize, time));
  }

  trade(instrument: number, price: number, size: number, aggressor: number, time: number, id: number): void {
    this.#input(`["t",${instrument},${price},${size},${aggressor},${time},${id}]`, time);
    this.#rows++;
    this.#whole(() => this.#started().trade(instrument, price, size, aggressor, time, id));
  }

  /** Does what is due by `time`; costs nothing and records nothing when nothing is. */
  advance(time: number): void {
    const exchange = this.#started();
    if (exchange.nextDue > time) return;
    this.#input(`["a",${time}]`, time);
    this.#whole(() => exchange.advance(time));
  }

  /** Carries out a command of the venue's operator. All that it did is on disk when this returns. */
  command(name: string, given: unknown): object {
    const time = this.now();
    this.#input(JSON.stringify(['x', time, name, given]), time);
    const result = this.#whole(() => this.#performCommand(name, given, time));
    this.flush();
    return result;
  }

  /** Notes a fault beside the request that it befell, which has just been handled, or in its place. */
  fault({ caller, hasActed, ...note }: FaultTold): void {
    const account = this.nameOf(caller);
    const isRecorded = hasActed && account !== null && endpointById(note.endpoint).method === 'POST';
    const record: FaultRecord = { ...note, account, request: isRecorded ? this.#requests : 0, asked: isRecorded ? '' : note.asked };
    const time = this.now();
    this.#input(JSON.stringify(['f', time, record]), time);
    this.#write('fault', { time, ...record });
    this.flush();
  }

  /** The name of the account with this API key, null for nobody's. */
  nameOf(key: string | null): string | null {
    return key === null ? null : (this.#names.get(key) ?? null);
  }

  /** Venue time, never before what was recorded. */
  now(): number {
    return Math.max(this.#time, this.#venueClock.now());
  }

  /** Writes a line that is no input and that nothing depends on; it is on disk when this returns. @throws LedgerError write-failed */
  note(kind: NoteKind, data: object): void {
    this.#write(kind, { time: this.now(), ...data });
    this.flush();
  }

  /**
   * Lines of the ledger from byte `from` on (0, or the `next` of an earlier page): at most `limit`, and not many more than a
   * megabyte of them is looked through. Null when no line begins there. What was taken away is left out, and said to be missing.
   */
  page(from: number, limit: number, wants: (kind: string) => boolean): LedgerPage | null {
    this.flush();
    return this.#ledger.page({ from, limit, wants });
  }

  /** Writes what is pending, inputs first: the ledger never knows more than the inputs can give again. */
  flush(): void {
    if (this.#failed !== null) throw this.#writeFailed();
    try {
      this.#inputs.flush();
      this.#ledger.flush();
    } catch (error) {
      this.#failed = error;
      throw this.#writeFailed();
    }
  }

  /** Writes the whole state and starts a new input log. @throws LedgerError write-failed */
  snapshot(): void {
    try {
      this.#saving?.finish();
      this.#save().finish();
    } catch (error) {
      this.#failed ??= error;
      throw this.#writeFailed();
    }
  }

  /** The state of this moment, to be written; inputs go to a new log from now on. Both logs count until it is in place. */
  #save(): StateWriter {
    this.flush();
    const generation = this.#generation + 1;
    const state: LedgerState = {
      version: VERSION,
      identity: this.#identity,
      generation,
      lines: this.#lines,
      bytes: this.#ledger.size,
      place: this.#ledger.place,
      rows: this.#rows,
      requests: this.#requests,
      time: this.#time,
      state: this.#started().snapshot(),
    };
    const saving = new StateWriter(join(this.#folder, 'state.json'), jsonPieces(state), {
      done: (size) => this.#saved(state, size),
      failed: (error) => void (this.#failed ??= error),
    });
    this.#inputs.close();
    this.#inputs = new LineFile(inputsPath(this.#folder, generation));
    this.#generation = generation;
    this.#savedBytes = state.bytes;
    this.#saving = saving;
    return saving;
  }

  #saved({ generation, bytes }: LedgerState, size: number): void {
    this.#saving = null;
    this.#snapshotDueAt = Math.max(this.#snapshotBytes, 2 * size);
    removeInputs(this.#folder, (number) => number < generation);
    this.#ledger.forget(this.#keepSegments, bytes);
  }

  /** Begins a snapshot or a segment when one is due. Between two inputs only. */
  #keepUp(): void {
    try {
      if (this.#ledger.segmentSize >= this.#segmentBytes) this.#ledger.rotate();
      const isDue = this.#inputs.size >= this.#snapshotDueAt || this.#ledger.size - this.#savedBytes >= this.#segmentBytes;
      if (isDue && this.#saving === null) this.#save().start();
    } catch (error) {
      this.#failed ??= error;
      throw this.#writeFailed();
    }
  }

  /** Takes a last snapshot and lets the folder go. */
  close(): void {
    try {
      if (this.#exchange !== null && this.#failed === null) this.snapshot();
    } finally {
      this.abandon();
    }
  }

  /** Lets the folder go as it is: for a ledger that could not be started. */
  abandon(): void {
    this.#saving?.abandon();
    if (this.#failed !== null) {
      this.#inputs.drop();
      this.#ledger.drop();
    }
    this.#inputs.close();
    this.#ledger.close();
    this.#lock.release();
  }

  #input(line: string, time: number): void {
    if (this.#failed !== null) throw this.#writeFailed();
    // Before the new one: what an input breaks must not be on disk.
    if (this.#inputs.pending > FLUSH_AT || this.#ledger.pending > FLUSH_AT) {
      this.flush();
      this.#keepUp();
    }
    if (time > this.#time) this.#time = time;
    this.#inputs.append(line);
  }

  /** @throws LedgerError write-failed: the exchange must stop */
  #handle(endpoint: Endpoint, request: WireRequest): Reply {
    const exchange = this.#started();
    const account = this.nameOf(request.caller);
    let reply: Reply;
    if (endpoint.auth && endpoint.method === 'POST' && account !== null) {
      const time = this.now();
      this.#input(JSON.stringify(['r', time, account, endpoint.id, request.body]), time);
      reply = this.#whole(() => this.#perform(exchange, { endpoint, request, account, time }));
    } else {
      reply = exchange.handler(endpoint, request);
    }
    this.flush();
    this.#keepUp();
    return reply;
  }

  /** An input that breaks the exchange half way: nothing of it is kept, and the exchange stands still until it is started again. */
  #whole<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      this.#inputs.drop();
      this.#ledger.drop();
      this.#failed = error;
      throw error;
    }
  }

  #perform(exchange: LedgeredExchange, { endpoint, request, account, time }: Performed): Reply {
    return this.#numbered(time, () => {
      const reply = exchange.handler(endpoint, request);
      this.#write('request', { time, account, endpoint: endpoint.id, body: request.body, code: reply.envelope.code });
      return reply;
    });
  }

  #performCommand(name: string, given: unknown, time: number): object {
    return this.#numbered(time, () => {
      const result = this.#started().command(name, given, time);
      this.#write('command', { time, name, given, result });
      return result;
    });
  }

  /** What `work` writes bears the next request's number and happens at `time`. */
  #numbered<T>(time: number, work: () => T): T {
    this.#request = ++this.#requests;
    this.#callTime = time;
    try {
      return work();
    } finally {
      this.#request = 0;
      this.#callTime = null;
    }
  }

  #named(facts: OfAccount | null): object | null {
    return facts === null ? null : { ...facts, account: this.#accounts[facts.account] };
  }

  #write(kind: string, data: object): void {
    // What building the simulator told (deposits) is in a resumed ledger already.
    if (this.#exchange === null && this.#state !== null) return;
    if (this.#known.length > 0) this.#passNotes();
    const line = JSON.stringify({ n: ++this.#lines, request: this.#request, kind, ...data });
    const known = this.#known.pop();
    if (known === undefined) {
      this.#ledger.append(line);
    } else if (known !== line) {
      throw new LedgerError('corrupt', `replaying the inputs gave another line ${this.#lines} of ledger.jsonl: was ${known}, got ${line}`);
    }
  }

  /** Notes stay where they stand in the ledger. */
  #passNotes(): void {
    for (let line = this.#known.at(-1); line !== undefined && isNote(line); line = this.#known.at(-1)) {
      this.#known.pop();
      this.#lines++;
    }
  }

  #replay(): void {
    const exchange = this.#started();
    for (let generation = this.#state?.generation ?? 0; generation <= this.#generation; generation++) {
      const log = generation === this.#generation ? this.#inputs : new LineFile(inputsPath(this.#folder, generation));
      for (const line of log.lines(0)) this.#replayOne(exchange, parseInput(line, log.path));
      if (log !== this.#inputs) log.close();
    }
    this.#passNotes();
    if (this.#known.length > 0) {
      throw new LedgerError('corrupt', `ledger.jsonl has ${this.#known.length} lines more than its inputs can explain`);
    }
  }

  #replayOne(exchange: LedgeredExchange, row: Input): void {
    const time = row[0] === 'q' ? row[6] : row[0] === 't' ? row[5] : row[1];
    if (row[0] !== 'a') this.#time = Math.max(this.#time, time);
    switch (row[0]) {
      case 'q':
        this.#rows++;
        return exchange.quote(row[1], row[2], row[3], row[4], row[5], row[6]);
      case 't':
        this.#rows++;
        return exchange.trade(row[1], row[2], row[3], row[4], row[5], row[6]);
      case 'a':
        return exchange.advance(time);
      case 'r':
        return void this.#perform(exchange, recall(row, this.#keys));
      case 'x':
        return void this.#performCommand(row[2], row[3], time);
      case 'f':
        return this.#write('fault', { time, ...row[2] });
    }
  }

  #started(): LedgeredExchange {
    if (this.#exchange === null) throw new LedgerError('corrupt', 'the ledger was used before it was started');
    return this.#exchange;
  }

  #writeFailed(): LedgerError {
    return new LedgerError('write-failed', `the ledger in ${this.#folder} takes no more: ${String(this.#failed)}`, { cause: this.#failed });
  }
}
