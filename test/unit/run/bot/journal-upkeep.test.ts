/** A journal that is kept short answers as before: the sums of an index, the archive, and what is dropped by age. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../../../src/base/random.ts';
import { ClientIds } from '../../../../src/domain/orders/client-ids.ts';
import { openStoreReader } from '../../../../src/edge/embedded/reader.ts';
import { openEmbeddedStore } from '../../../../src/edge/embedded/embedded-store.ts';
import { fillsIn, newestFills, ordersIn, type Journal } from '../../../../src/run/bot/answers/fill-answers.ts';
import { tradesIn } from '../../../../src/run/bot/answers/trade-answers.ts';
import { PROFIT_KEY, profitIn, ProfitIndex } from '../../../../src/run/bot/answers/profit.ts';
import { JournalUpkeep } from '../../../../src/run/bot/store/journal-upkeep.ts';
import { StoreError, type Store } from '../../../../src/ports/store.ts';
import { btc, ManualClock, MemoryLog } from '../../../support/engine/engine-kit.ts';
import { journalOf } from '../../../support/stores/journal-of.ts';
import { longJournal } from '../../../support/stores/long-journal.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 9, 1, 20);
const BYS = ['strategy', 'symbol', 'day', 'reason'] as const;

function indexOf(journal: ReturnType<typeof journalOf>, after: number): ProfitIndex {
  const index = new ProfitIndex();
  for (const record of journal.records()) if (record.position <= after) index.add(record);
  return ProfitIndex.of(index.saved());
}

describe('pnl from the sums of days', () => {
  it('is to the byte that from all records, wherever the index ends and the window begins', async () => {
    const random = new Random(7);
    for (let seed = 1; seed <= 12; seed++) {
      const journal = journalOf([...longJournal(150, START, 3_000_000, seed)]);
      const index = indexOf(journal, random.below(journal.lastRecord() + 1));
      const at = (): number => START + random.below(6 * DAY_MS);
      const days = Math.floor(START / DAY_MS) * DAY_MS;
      const windows = [{}, { from: at() }, { to: at() }, { from: at(), to: at() }, { from: days + DAY_MS, to: days + 3 * DAY_MS }];
      for (const window of windows) {
        for (const by of BYS) {
          const [all, summed] = [await profitIn(journal, by, window), await profitIn(journal, by, window, index)];
          expect(JSON.stringify(summed), JSON.stringify({ seed, by, window, after: index.after })).toBe(JSON.stringify(all));
        }
      }
    }
  });

  it('reads only what came after the index, and the days that the window cuts', async () => {
    const journal = journalOf([...longJournal(150, START, 3_000_000)]);
    const index = indexOf(journal, journal.lastRecord() - 10);
    const read: number[] = [];
    const counted: Pick<Journal, 'records'> = {
      *records(from = 1) {
        for (const record of journal.records(from)) {
          read.push(record.position);
          yield record;
        }
      },
    };
    await profitIn(counted, 'day', {}, index);
    expect(read).toHaveLength(10);
    read.length = 0;
    await profitIn(counted, 'day', { from: START + 2 * DAY_MS }, index);
    expect(read.length).toBeGreaterThan(100);
    expect(read.length).toBeLessThan(250);
  });
});

describe('the journal of a running bot', () => {
  let folder: string;
  let store: Store;
  const clock = new ManualClock();
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tickwright-upkeep-'));
    store = openEmbeddedStore({ folder });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const upkeepOf = (keepDays: number, log = new MemoryLog()): JournalUpkeep => {
    const gate = { isSettled: true, put: (key: string, value: string) => store.put(key, value) };
    return new JournalUpkeep({ store, gate, snapshots: { savedAfter: Number.MAX_SAFE_INTEGER }, clock, log, keepDays });
  };
  const write = async (orders: number): Promise<void> => {
    for (const record of longJournal(orders, START, 60_000)) store.append(record);
    await store.commit();
  };
  const tend = async (upkeep: JournalUpkeep): Promise<void> => {
    for (let second = 0; second < 60; second++) await upkeep.look();
    upkeep.save();
    await store.commit();
  };
  const answers = async (journal: Journal, index: ProfitIndex): Promise<string> => {
    const ids = ClientIds.begin({ bot: 'bot', epoch: 1 });
    const sums = await Promise.all(BYS.map((by) => profitIn(journal, by, {}, index)));
    const exported = [
      await fillsIn(journal.records(), {}),
      await tradesIn(journal.records(), {}),
      await ordersIn(journal.records(), [btc()], ids, {}),
    ];
    return JSON.stringify([await newestFills(journal, { last: 5 }), sums, exported]);
  };
  const stored = (): Journal => ({ records: (from = 1) => store.read(from), lastRecord: () => store.last() });

  it('answers fills, pnl, trades and orders to the byte as before records moved, running and stopped', async () => {
    await write(3_000);
    clock.time = START + DAY_MS;
    const before = await answers(stored(), new ProfitIndex());
    const upkeep = upkeepOf(3650);
    await tend(upkeep);
    expect(await answers(stored(), await upkeep.profit())).toBe(before);
    await store.close();
    const reader = openStoreReader(folder)!;
    const stopped: Journal = { records: (from = 1) => reader.read(from), lastRecord: () => reader.last() };
    const index = ProfitIndex.of(reader.get(PROFIT_KEY));
    expect(reader.last() - index.after).toBeLessThan(500);
    expect(await answers(stopped, index)).toBe(before);
    reader.close();
    store = openEmbeddedStore({ folder });
    expect(await answers(stored(), await upkeepOf(3650).profit())).toBe(before);
    expect(store.archive!(Number.MAX_SAFE_INTEGER, 1_000_000), 'the newest stay in the file').toBeLessThan(10_500);
  });

  it('drops what is older than store.keepDays, and pnl keeps the sums of those days', async () => {
    await write(3_000);
    clock.time = START + 3_000 * 60_000 + 3 * DAY_MS;
    const sums = JSON.stringify(await profitIn(stored(), 'day', {}));
    const upkeep = upkeepOf(5);
    await tend(upkeep);
    const [first] = await fillsIn(stored().records(), {});
    expect(Math.abs(first!.time - (clock.time - 5 * DAY_MS))).toBeLessThan(10 * 60_000);
    expect(JSON.stringify(await profitIn(stored(), 'day', {}, await upkeep.profit()))).toBe(sums);
  });

  it('waits for a server that does not answer, and sums each record once', async () => {
    await write(300);
    const read = store.read.bind(store);
    let asked = 0;
    store.read = async function* (from) {
      for await (const record of read(from)) {
        if (++asked === 700) throw new StoreError('unreachable', 'no answer');
        yield record;
      }
    };
    const upkeep = upkeepOf(3650);
    await tend(upkeep);
    expect(asked).toBeGreaterThan(700);
    expect(JSON.stringify(await profitIn(stored(), 'day', {}, await upkeep.profit()))).toBe(
      JSON.stringify(await profitIn(stored(), 'day', {})),
    );
    store.read = () => {
      throw new StoreError('corrupt', 'damaged');
    };
    await write(300);
    await expect(upkeep.look()).rejects.toThrow('damaged');
  });

  it('says once an hour that there is no room to move records, and goes on', async () => {
    await write(3_000);
    const log = new MemoryLog();
    const archive = store.archive!.bind(store);
    let tries = 0;
    store.archive = () => {
      tries++;
      throw new StoreError('full', 'no room');
    };
    const upkeep = upkeepOf(3650, log);
    for (let second = 0; second < 5; second++) await upkeep.look();
    expect([tries, log.lines.map(({ event }) => event)]).toEqual([1, ['journal-not-archived']]);
    clock.time += 3_600_000;
    store.archive = archive;
    await tend(upkeep);
    expect(await store.last()).toBeGreaterThan(0);
    expect(archive(Number.MAX_SAFE_INTEGER, 1_000_000)).toBeLessThan(10_500);
  });
});
