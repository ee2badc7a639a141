import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { success, type WireRequest } from '../../../src/contract/envelope.ts';
import { LedgerError, openLedger, type Ledger, type LedgeredExchange, type LedgerOptions } from '../../../src/edge/file/ledger/ledger.ts';
import { ledgerLines, readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { eventually } from '../../support/eventually.ts';

/** A small deterministic exchange: each order fills at the last quoted bid, one lot per quote. */
class Counter implements LedgeredExchange {
  readonly nextDue = Infinity;
  bid = 0;
  orders: { no: number; account: number; left: number; madeAt: number; body: string }[] = [];
  fills = 0;
  readonly #ledger: Ledger;
  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    ledger.sink.cash(0, 'USDT', 1_000, 'deposit', 0, 'futures');
  }
  quote(_i: number, bid: number, _bs: number, _a: number, _as: number, time: number): void {
    this.bid = bid;
    for (const order of this.orders) {
      if (order.left === 0) continue;
      order.left--;
      const fill = { account: 0, fillNo: ++this.fills, orderNo: order.no, price: this.bid, time };
      this.#ledger.sink.fill(fill);
      if (order.left === 0) this.#ledger.sink.ended(order.no, 5);
    }
  }
  trade(): void {}
  advance(): void {}
  readonly handler: LedgeredExchange['handler'] = (_endpoint, request) => {
    const no = this.orders.length + 1;
    this.orders.push({ no, account: 0, left: 2, madeAt: this.#ledger.clock.now(), body: request.body });
    this.#ledger.sink.order(no);
    return { httpStatus: 200, envelope: success({ orderId: String(no) }, 0) };
  };
  command(name: string, given: unknown, time: number): object {
    this.bid = (given as { bid: number }).bid;
    this.#ledger.sink.cash(0, 'USDT', this.bid, name, 0, 'futures');
    return { done: true, time };
  }
  order(no: number): { readonly account: number } | null {
    return this.orders[no - 1] ?? null;
  }
  snapshot(): unknown {
    return structuredClone({ bid: this.bid, orders: this.orders, fills: this.fills });
  }
  restore(state: unknown): void {
    Object.assign(this, structuredClone(state));
  }
}

let folder = '';
const folders: string[] = [];
let now = 1_000;
const options = (identity = 'a') => ({ identity, clock: { now: () => now }, names: new Map([['key', 'alice']]) });

function open(extra: Partial<LedgerOptions> = {}): { ledger: Ledger; exchange: Counter } {
  const ledger = openLedger(folder, { ...options(), ...extra });
  const exchange = new Counter(ledger);
  ledger.start(exchange);
  return { ledger, exchange };
}

function place(ledger: Ledger, body: string): void {
  const request: WireRequest = { method: 'POST', target: '', body, params: JSON.parse(body), header: () => undefined, caller: 'key' };
  ledger.handler(ENDPOINTS.placeOrder, request);
}

function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ledger-'));
  folders.push(path);
  return path;
}

/** The folder after kill -9: files as they are, and a lock whose owner is gone. */
function kill(): string {
  const copy = newFolder();
  for (const name of readdirSync(folder)) if (name !== 'lock') writeFileSync(join(copy, name), readFileSync(join(folder, name)));
  return copy;
}

beforeEach(() => {
  folder = newFolder();
  now = 1_000;
});
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

describe('the ledger', () => {
  it('restores a killed exchange to the state of its last reply', () => {
    const { ledger, exchange } = open();
    ledger.quote(0, 100, 1, 101, 1, 1_000);
    place(ledger, '{"clientOid":"a"}');
    now = 2_000;
    ledger.quote(0, 105, 1, 106, 1, 2_000);
    place(ledger, '{"clientOid":"b"}');
    const before = exchange.snapshot();
    const truth = readLedger(folder);
    folder = kill();
    now = 9_999;
    const again = open();
    expect(again.exchange.snapshot()).toEqual(before);
    expect(readLedger(folder)).toEqual(truth);
    expect(truth.orders.map((o) => [o.order.no, o.request?.body, o.ended])).toEqual([
      [1, '{"clientOid":"a"}', null],
      [2, '{"clientOid":"b"}', null],
    ]);
    expect(truth.orders.map((o) => o.order['account'])).toEqual(['alice', 'alice']);
    expect(truth.fills).toMatchObject([{ fillNo: 1, account: 'alice' }]);
    expect(truth.cash).toEqual([{ account: 'alice', wallet: 'futures', coin: 'USDT', amount: 1_000, why: 'deposit', orderNo: 0 }]);
    expect(truth.requests.map((r) => [r.account, r.endpoint, r.code, r.time])).toEqual([
      ['alice', 'E12', '00000', 1_000],
      ['alice', 'E12', '00000', 2_000],
    ]);
  });

  it('continues from a snapshot and returns the number of processed market rows', () => {
    const { ledger } = open({ snapshotBytes: 1 });
    for (let k = 0; k < 5; k++) {
      ledger.quote(0, 100 + k, 1, 200, 1, 1_000 + k);
      place(ledger, `{"n":${k}}`);
    }
    ledger.quote(0, 99, 1, 200, 1, 2_000);
    ledger.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('inputs'))).toHaveLength(1);
    const second = openLedger(folder, options());
    const exchange = new Counter(second);
    const resumed = second.start(exchange);
    expect(resumed).toEqual({ resumed: true, rows: 6, time: 2_000 });
    expect(exchange.bid).toBe(99);
    expect(exchange.orders).toHaveLength(5);
    expect(readLedger(folder).cash).toHaveLength(1);
  });

  it('cuts off an incomplete last line and keeps the lines before it', () => {
    const { ledger, exchange } = open();
    ledger.quote(0, 100, 1, 101, 1, 1_000);
    place(ledger, '{"clientOid":"a"}');
    const before = exchange.snapshot();
    folder = kill();
    const inputs = readdirSync(folder).find((name) => name.startsWith('inputs')) ?? '';
    appendFileSync(join(folder, inputs), '["r",5,"ali');
    appendFileSync(join(folder, 'ledger.jsonl'), '{"n":99,"ki');
    const again = open();
    expect(again.exchange.snapshot()).toEqual(before);
    place(again.ledger, '{"clientOid":"b"}');
    expect(readLedger(folder).orders).toHaveLength(2);
  });

  it('writes a snapshot in slices: before it is complete both logs count, afterwards only the newer is left', async () => {
    const { ledger, exchange } = open({ snapshotBytes: 1 });
    const inputs = (): string[] => readdirSync(folder).filter((name) => name.startsWith('inputs'));
    for (let k = 0; k < 50 && inputs().length === 1; k++) place(ledger, '{"clientOid":"the last of these begins a snapshot"}');
    place(ledger, '{"clientOid":"while it is written"}');
    expect(inputs()).toEqual(['inputs-1.jsonl', 'inputs-2.jsonl']);
    const early = kill();
    await eventually(() => expect(inputs()).toEqual(['inputs-2.jsonl']));
    const late = kill();
    // A crash before this file was removed.
    writeFileSync(join(late, 'inputs-1.jsonl'), '["r",5,"alice","E12","{}"]\n');
    const truth = readLedger(folder);
    for (const path of [early, late]) {
      folder = path;
      const again = open();
      expect(again.exchange.snapshot()).toEqual(exchange.snapshot());
      expect(readLedger(folder)).toEqual(truth);
      place(again.ledger, '{"clientOid":"after"}');
      again.ledger.snapshot();
      expect(inputs()).toHaveLength(1);
      expect(readLedger(folder).orders).toHaveLength(exchange.orders.length + 1);
    }
  });

  it('refuses a folder in which a log in between is missing', () => {
    const { ledger } = open({ snapshotBytes: 1 });
    for (let k = 0; k < 50 && !readdirSync(folder).includes('inputs-2.jsonl'); k++) place(ledger, '{"clientOid":"a"}');
    folder = kill();
    rmSync(join(folder, 'inputs-1.jsonl'));
    const missing = expect.objectContaining({ code: 'corrupt', message: expect.stringContaining('inputs-1.jsonl is missing') as string });
    expect(() => open()).toThrow(missing as Error);
  });

  it('writes the lines again that the inputs imply and the ledger lacks', () => {
    const { ledger } = open();
    ledger.quote(0, 100, 1, 101, 1, 1_000);
    place(ledger, '{"clientOid":"a"}');
    const truth = readLedger(folder);
    folder = kill();
    const path = join(folder, 'ledger.jsonl');
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, `${lines.slice(0, -3).join('\n')}\n`);
    open();
    expect(readLedger(folder)).toEqual(truth);
  });

  it('refuses a ledger that a replay of its inputs does not produce', () => {
    const { ledger } = open();
    place(ledger, '{"clientOid":"a"}');
    folder = kill();
    const path = join(folder, 'ledger.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"clientOid\\":\\"a', '"clientOid\\":\\"x'));
    expect(() => open()).toThrow(LedgerError);
  });

  it('refuses a folder of another exchange, and one that is in use', () => {
    const { ledger } = open();
    expect(() => open()).toThrow(expect.objectContaining({ code: 'locked' }) as Error);
    ledger.close();
    expect(() => open({ identity: 'b' })).toThrow(expect.objectContaining({ code: 'foreign' }) as Error);
    open().ledger.close();
  });

  it.skipIf(!existsSync('/dev/full'))('does not answer what it could not write, and refuses everything after that', () => {
    const ledger = openLedger(folder, options());
    const exchange = new Counter(ledger);
    symlinkSync('/dev/full', join(folder, 'inputs-1.jsonl'));
    ledger.start(exchange);
    const failed = expect.objectContaining({ code: 'write-failed', message: expect.stringContaining('ENOSPC') as string }) as Error;
    expect(() => place(ledger, '{"clientOid":"a"}')).toThrow(failed);
    expect(() => place(ledger, '{"clientOid":"b"}')).toThrow(failed);
    expect(() => ledger.quote(0, 1, 1, 2, 1, 5)).toThrow(failed);
    expect(readLedger(folder).orders).toEqual([]);
    ledger.close();
    // Lines without their inputs would look like someone else's.
    expect(readLedger(folder).orders).toEqual([]);
    expect(readdirSync(folder)).not.toContain('lock');
  });

  it('keeps nothing of a request that failed halfway, and refuses everything until it is restarted', () => {
    const { ledger, exchange } = open();
    place(ledger, '{"clientOid":"a"}');
    const truth = readLedger(folder);
    const failing = exchange.order.bind(exchange);
    exchange.order = () => {
      throw new Error('broken');
    };
    expect(() => place(ledger, '{"clientOid":"b"}')).toThrow('broken');
    exchange.order = failing;
    expect(() => place(ledger, '{"clientOid":"c"}')).toThrow(expect.objectContaining({ code: 'write-failed' }) as Error);
    folder = kill();
    const again = open();
    expect(again.exchange.orders).toHaveLength(1);
    expect(readLedger(folder)).toEqual(truth);
  });

  it.each(['quote', 'trade', 'advance'] as const)('keeps nothing of a %s that failed halfway, not even when it is closed', (what) => {
    const { ledger, exchange } = open();
    ledger.quote(0, 100, 1, 101, 1, 1_000);
    place(ledger, '{"clientOid":"a"}');
    const before = exchange.snapshot();
    const truth = readLedger(folder);
    Object.defineProperty(exchange, 'nextDue', { value: 0 });
    exchange[what] = () => {
      exchange.bid = 666;
      // Enough lines to make the ledger write before the row is finished.
      for (let k = 0; k < 2_000; k++) ledger.sink.cash(0, 'USDT', k, 'half', 0, 'futures');
      throw new Error('broken');
    };
    const rows = {
      quote: () => ledger.quote(0, 1, 1, 2, 1, 2_000),
      trade: () => ledger.trade(0, 1, 1, 0, 2_000, 1),
      advance: () => ledger.advance(2_000),
    };
    expect(rows[what]).toThrow('broken');
    expect(() => place(ledger, '{"clientOid":"b"}')).toThrow(expect.objectContaining({ code: 'write-failed' }) as Error);
    ledger.close();
    const again = open();
    expect(again.exchange.snapshot()).toEqual(before);
    expect(readLedger(folder)).toEqual(truth);
  });

  it('records neither reads nor unknown callers', () => {
    const { ledger, exchange } = open();
    const request: WireRequest = { method: 'GET', target: '', body: '', params: {}, header: () => undefined, caller: 'key' };
    exchange.orders.length = 0;
    ledger.handler(ENDPOINTS.pendingOrders, request);
    ledger.handler(ENDPOINTS.placeOrder, { ...request, caller: null });
    expect(readLedger(folder).requests).toHaveLength(0);
  });
});

describe('the segments of a ledger', () => {
  const segments = (): string[] => readdirSync(folder).filter((name) => /^ledger-\d+\.jsonl$/.test(name));
  const all = (): true => true;

  it('are closed one after another, read as one, and continue after a kill', () => {
    const { ledger, exchange } = open({ segmentBytes: 500 });
    for (let k = 0; k < 20; k++) place(ledger, `{"n":${k}}`);
    expect(segments().slice(0, 3)).toEqual(['ledger-0001.jsonl', 'ledger-0002.jsonl', 'ledger-0003.jsonl']);
    for (const name of segments()) expect(statSync(join(folder, name)).size).toBeLessThan(1_000);
    const truth = readLedger(folder);
    expect([truth.missing, truth.orders.length]).toEqual([0, 20]);
    folder = kill();
    const again = open({ segmentBytes: 500 });
    expect(again.exchange.snapshot()).toEqual(exchange.snapshot());
    expect(readLedger(folder)).toEqual(truth);
    for (let k = 20; k < 40; k++) place(again.ledger, `{"n":${k}}`);
    expect(readLedger(folder).orders).toHaveLength(40);
    const lines: string[] = [];
    let at = 0;
    for (let isEnd = false; !isEnd;) {
      const page = again.ledger.page(at, 7, all)!;
      expect(page.missing).toBe(0);
      lines.push(...page.lines);
      ({ next: at, isEnd } = page);
    }
    expect(lines).toEqual([...ledgerLines(folder)]);
    expect(again.ledger.page(3, 7, all)).toBeNull();
    expect(again.ledger.page(at + 1, 7, all)).toBeNull();
  });

  it('may be deleted except those after the last snapshot, and readers count missing lines', () => {
    const { ledger } = open({ segmentBytes: 500 });
    for (let k = 0; k < 20; k++) place(ledger, `{"n":${k}}`);
    ledger.snapshot();
    const whole = [...ledgerLines(folder)];
    rmSync(join(folder, 'ledger-0001.jsonl'));
    rmSync(join(folder, 'ledger-0002.jsonl'));
    const gone = whole.length - [...ledgerLines(folder)].length;
    expect(gone).toBeGreaterThan(2);
    expect(readLedger(folder).missing).toBe(gone);
    const page = ledger.page(0, 1, all)!;
    expect([page.lines, page.missing]).toEqual([[whole[gone]], Buffer.byteLength(whole.slice(0, gone).join('\n')) + 1]);
    for (let k = 0; k < 20; k++) place(ledger, `{"n":${k}}`);
    folder = kill();
    const resumed = open({ segmentBytes: 500 });
    expect(resumed.ledger.page(0, 1, all)).toEqual(page);
    folder = kill();
    rmSync(join(folder, segments().at(-2)!));
    const missing = expect.objectContaining({ code: 'corrupt', message: expect.stringContaining('is missing') as string });
    expect(() => open({ segmentBytes: 500 })).toThrow(missing as Error);
  });

  it('are kept, whatever the limit, until a snapshot covers them', async () => {
    const { ledger, exchange } = open({ segmentBytes: 500, keepSegments: 0 });
    for (let k = 0; k < 20; k++) place(ledger, `{"n":${k}}`);
    const early = segments().length;
    // A snapshot was started with the first segment; it does not contain what came after.
    await eventually(() => expect(segments().length).toBeLessThan(early));
    expect(segments().length).toBeGreaterThan(0);
    folder = kill();
    expect(open({ segmentBytes: 500, keepSegments: 0 }).exchange.snapshot()).toEqual(exchange.snapshot());
  });

  it('are deleted beyond exchange.ledgerKeep', () => {
    const { ledger } = open({ segmentBytes: 500, keepSegments: 2 });
    for (let k = 0; k < 20; k++) place(ledger, `{"n":${k}}`);
    expect(segments().length).toBeGreaterThan(3);
    ledger.snapshot();
    expect(segments()).toHaveLength(2);
    const { missing, orders } = readLedger(folder);
    expect(missing).toBeGreaterThan(0);
    expect(orders.at(-1)?.order.no).toBe(20);
  });
});
