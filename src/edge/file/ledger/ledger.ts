/**
 * The ledger of the exchange: its complete record on disk, and its recovery after kill -9. The folder holds two logs and a snapshot.
 * `inputs-N.jsonl` contains everything that entered the exchange since snapshot N: market rows and signed writes. The simulator is
 * deterministic, so the snapshot plus these inputs restore every balance, order, position and counter. `ledger.jsonl` contains all results,
 * permanently: requests, orders, ends, fills, cash, liquidation steps. Both are written before the reply that shows their effect.
 * size: one class holds the order of all writes
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../../../contract/endpoints/endpoint.ts';
import { endpointById } from '../../../contract/endpoints/endpoints.ts';
import type { Handler, Reply, WireRequest } from '../../../contract/envelope.ts';
import type { Clock } from '../../../ports/clock.ts';
import { jsonPieces } from '../../../base/lazy.ts';
import { filesIn, inputsPath, newestInputs, removeInputs } from './ledger-folder.ts';
import type { LedgerFiles } from './ledger-files.ts';
import { StateWriter } from './state-writer.ts';
import { parseInput, readState, recordedRequest, VERSION, type Input, type LedgerState, type Performed } from './ledger-state.ts';
import {
  LedgerError,
  type FaultRecord,
  type FaultReport,
  type LedgeredExchange,
  type LedgerOptions,
  type AccountFact,
  type Resumed,
} from './ledger-types.ts';
import { isNote, type LedgerPage, type NoteKind } from './ledger-page.ts';
import { recordedAs, type Dialect } from '../../../venue/dialect.ts';
import { INTERFACE } from '../../../venue/interface/dialect.ts';
import { LineFile } from '../line-file.ts';
import { takeLock, type FolderLock } from '../lock.ts';

export {
  LedgerError,
  type FaultRecord,
  type FaultReport,
  type LedgeredExchange,
  type LedgerErrorCode,
  type LedgerOptions,
  type Resumed,
} from './ledger-types.ts';

const SNAPSHOT_BYTES = 8 << 20;
const SEGMENT_BYTES = 64 << 20;
/** Number of pending characters from which market rows are written without waiting for a reply. */
const FLUSH_AT = 1 << 16;

/**
 * Opens or creates the ledger in `folder`. Build the simulator with `ledger.sink`, then call `ledger.start`. @throws LedgerError locked |
 * foreign | corrupt
 */
export function openLedger(folder: string, options: LedgerOptions): Ledger {
  return new Ledger(folder, options);
}

export class Ledger {
  /** Receives the simulator's events. */
  readonly sink = {
    order: (orderNo: number): void => this.#write('order', { order: this.#named(this.#started().order(orderNo)) }),
    ended: (orderNo: number, how: number): void => this.#write('end', { orderNo, how }),
    fill: (fill: AccountFact): void => this.#write('fill', { fill: this.#named(fill) }),
    cash: (account: number, coin: string, amount: number, why: string, orderNo: number, wallet: 'futures' | 'spot'): void =>
      this.#write('cash', { account: this.#accounts[account], wallet, coin, amount, why, orderNo }),
    step: (step: AccountFact): void => this.#write('step', { step: this.#named(step) }),
  };
  /** Venue time for the exchange. During a request it is the time of that request, also in a replay. */
  readonly clock: Clock = { now: () => this.#callTime ?? this.#venueClock.now() };
  /** The exchange's handler with recording: all effects of a request are on disk before its reply is returned. */
  readonly handler: Handler = (endpoint, request) => this.#handle(endpoint, request);
  readonly #venueClock: Clock;
  readonly #names: ReadonlyMap<string, string>;
  readonly #keys: ReadonlyMap<string, string>;
  readonly #dialect: Dialect;
  /** Account names by account number. */
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
  /** Size of the ledger in bytes at the last snapshot. */
  #savedBytes: number;
  /** The snapshot being written, or null. */
  #saving: StateWriter | null = null;
  #lines = 0;
  #rows = 0;
  #requests = 0;
  /** Number of the request being handled, or 0 between requests. */
  #request = 0;
  #time = 0;
  #callTime: number | null = null;
  /** Lines of ledger.jsonl after the snapshot, newest first. The replay must produce exactly these. */
  #known: string[] = [];
  #failed: unknown = null;

  constructor(folder: string, options: LedgerOptions) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#identity = options.identity;
    this.#venueClock = options.clock;
    this.#names = options.names;
    this.#dialect = options.dialect ?? INTERFACE;
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

  /** Attaches the exchange, restores it to the recorded state, and starts recording. @throws LedgerError corrupt */
  start(exchange: LedgeredExchange): Resumed {
    const steps = this.steps(exchange);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    return step.value;
  }

  /** The same with a pause after each input that is read. Nothing else of the ledger may be called before the end. */
  *steps(exchange: LedgeredExchange): Generator<void, Resumed, void> {
    this.#exchange = exchange;
    const state = this.#state;
    try {
      if (state !== null) this.#restore(state, exchange);
      yield* this.#replay();
      this.flush();
      if (state === null) this.snapshot();
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    return { resumed: state !== null, rows: this.#rows, time: this.#time };
  }

  /** Lines of ledger.jsonl after the snapshot that the replay has not given yet. */
  get linesLeft(): number {
    return this.#known.length;
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

  /** Runs the timed work that is due by `time`. Records nothing if none is due. */
  advance(time: number): void {
    const exchange = this.#started();
    if (exchange.nextDue > time) return;
    this.#input(`["a",${time}]`, time);
    this.#whole(() => exchange.advance(time));
  }

  /** Carries out an operator command. All of its effects are on disk on return. */
  command(name: string, given: unknown): object {
    const time = this.now();
    this.#input(JSON.stringify(['x', time, name, given]), time);
    const result = this.#whole(() => this.#performCommand(name, given, time));
    this.flush();
    return result;
  }

  /** Records a fault, either next to the request that was just handled or in place of one. */
  fault({ caller, hasActed, ...note }: FaultReport): void {
    const account = this.nameOf(caller);
    const isRecorded = hasActed && account !== null && endpointById(note.endpoint).method === 'POST';
    const record: FaultRecord = { ...note, account, request: isRecorded ? this.#requests : 0, asked: isRecorded ? '' : note.asked };
    const time = this.now();
    this.#input(JSON.stringify(['f', time, record]), time);
    this.#write('fault', { time, ...record });
    this.flush();
  }

  /** Returns the name of the account with this API key, or null if there is none. */
  nameOf(key: string | null): string | null {
    return key === null ? null : (this.#names.get(key) ?? null);
  }

  /** Current venue time, never earlier than the latest recorded time. */
  now(): number {
    return Math.max(this.#time, this.#venueClock.now());
  }

  /** Writes a line that is not derived from the inputs. It is on disk on return. @throws LedgerError write-failed */
  note(kind: NoteKind, data: object): void {
    this.#write(kind, { time: this.now(), ...data });
    this.flush();
  }

  /**
   * Returns at most `limit` lines of the ledger from byte `from` on (0, or `next` of an earlier page), scanning about a megabyte at most.
   * Null if no line starts there. Lines of deleted segments are skipped and counted in `missing`.
   */
  page(from: number, limit: number, wants: (kind: string) => boolean): LedgerPage | null {
    this.flush();
    return this.#ledger.page({ from, limit, wants });
  }

  /** Writes pending lines, inputs first: the ledger never contains more than the inputs can reproduce. */
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

  /** Writes a snapshot of the whole state and starts a new input log. @throws LedgerError write-failed */
  snapshot(): void {
    try {
      this.#saving?.finish();
      this.#save().finish();
    } catch (error) {
      this.#failed ??= error;
      throw this.#writeFailed();
    }
  }

  /**
   * Captures the current state to be written as a snapshot, and starts a new input log. Until the snapshot is complete, recovery uses the
   * old snapshot and both logs.
   */
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

  /** Starts a snapshot or a new segment when one is due. Only called between two inputs. */
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

  /** Writes a last snapshot and releases the folder. */
  close(): void {
    try {
      if (this.#exchange !== null && this.#failed === null) this.snapshot();
    } finally {
      this.abandon();
    }
  }

  /** Releases the folder without a snapshot, for a ledger that could not be started. */
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
    // Flush before the new input is queued: an input that makes the exchange throw must not be on disk.
    if (this.#inputs.pending > FLUSH_AT || this.#ledger.pending > FLUSH_AT) {
      this.flush();
      this.#keepUp();
    }
    if (time > this.#time) this.#time = time;
    this.#inputs.append(line);
  }

  /** @throws LedgerError write-failed: the exchange must stop then */
  #handle(endpoint: Endpoint, request: WireRequest): Reply {
    const exchange = this.#started();
    const account = this.nameOf(request.caller);
    let reply: Reply;
    if (endpoint.auth && endpoint.method === 'POST' && account !== null) {
      const time = this.now();
      this.#input(JSON.stringify(['r', time, account, recordedAs(this.#dialect, endpoint), request.body]), time);
      reply = this.#whole(() => this.#perform(exchange, { endpoint, request, account, time }));
    } else {
      reply = exchange.handler(endpoint, request);
    }
    this.flush();
    this.#keepUp();
    return reply;
  }

  /**
   * Runs one input. If the exchange throws halfway, nothing of this input is kept, and the exchange refuses everything until it is
   * restarted.
   */
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

  /** Gives all lines that `work` writes the next request number and the time `time`. */
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

  #named(facts: AccountFact | null): object | null {
    return facts === null ? null : { ...facts, account: this.#accounts[facts.account] };
  }

  #write(kind: string, data: object): void {
    // Events from building the simulator (deposits) are already in a resumed ledger.
    if (this.#exchange === null && this.#state !== null) return;
    if (this.#known.length > 0) this.#passNotes();
    const line = JSON.stringify({ n: ++this.#lines, request: this.#request, kind, ...data });
    const known = this.#known.pop();
    if (known === undefined) {
      this.#ledger.append(line);
    } else if (known !== line) {
      throw new LedgerError(
        'corrupt',
        `replaying the inputs gave another line ${this.#lines} of ledger.jsonl: expected ${known}, found ${line}`,
      );
    }
  }

  /** Skips notes: the replay does not write them, they stay in the file. */
  #passNotes(): void {
    for (let line = this.#known.at(-1); line !== undefined && isNote(line); line = this.#known.at(-1)) {
      this.#known.pop();
      this.#lines++;
    }
  }

  *#replay(): Generator<void, void, void> {
    const exchange = this.#started();
    for (let generation = this.#state?.generation ?? 0; generation <= this.#generation; generation++) {
      const log = generation === this.#generation ? this.#inputs : new LineFile(inputsPath(this.#folder, generation));
      for (const line of log.lines(0)) {
        this.#replayOne(exchange, parseInput(line, log.path));
        yield;
      }
      if (log !== this.#inputs) log.close();
    }
    this.#passNotes();
    if (this.#known.length > 0) {
      throw new LedgerError('corrupt', `ledger.jsonl has ${this.#known.length} lines more than a replay of its inputs writes`);
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
        return void this.#perform(exchange, recordedRequest(row, this.#keys, this.#dialect));
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
    return new LedgerError('write-failed', `the ledger in ${this.#folder} cannot be written any more: ${String(this.#failed)}`, {
      cause: this.#failed,
    });
  }
}
