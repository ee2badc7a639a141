/**
 * A start reads the order history from where the store last knew the venue. What `restore`, `rotate-epoch` or a start that read nothing write into
 * a store makes that no later. Store, backup and kernel are real; the venue's history obeys its start time.
 */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { CLOSE, LONG, MARKET, OPEN } from '../../../../src/domain/codes.ts';
import { ClientIds } from '../../../../src/domain/orders/client-ids.ts';
import { emptyCommand } from '../../../../src/domain/orders/command.ts';
import type { OrderReport, PositionReport } from '../../../../src/domain/report.ts';
import { openEmbeddedStore } from '../../../../src/edge/embedded/embedded-store.ts';
import { makeBackup } from '../../../../src/run/backup/backup.ts';
import { restoreBackup } from '../../../../src/run/backup/restore.ts';
import { recover, type Recovered } from '../../../../src/run/bot/store/recovered.ts';
import { orderReport, POLLS, positionReport, rig, START, usual, type Rig } from '../../../support/engine/engine-kit.ts';
import { configIn, newFolder, removeFolders } from '../../../support/stores/backup-kit.ts';

afterEach(removeFolders);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type OpenStore = ReturnType<typeof openEmbeddedStore>;

/** A bot that started with a store. */
interface Started {
  readonly r: Rig;
  readonly recovered: Recovered;
  readonly store: OpenStore;
}

/** What the venue has of the bot, and where. */
interface Traded {
  readonly folder: string;
  readonly orders: readonly OrderReport[];
  readonly end: number;
}

/** Answers everything for so many quarters of a second. A history shows what was created at its start time or later. */
function live(r: Rig, quarters: number, orders: readonly OrderReport[], positions: readonly PositionReport[]): void {
  for (let k = 0; k < quarters; k++) {
    for (let query = r.open.shift(); query !== undefined; query = r.open.shift()) {
      const now = r.clock.time;
      const since = query.kind === 'history' ? query.since : 0;
      const shown = orders.filter(({ createdAt }) => createdAt >= since);
      r.venue.answered(query, usual(query, shown, positions, now), now, now);
    }
    r.advance(250);
  }
}

const held = (lots: number, updatedAt = START): PositionReport[] => [positionReport(LONG, lots, { createdAt: START, updatedAt })];

/** A bot holds 10 lots, and a trigger order of 3 waits. `isOld`: its snapshot is that of a version that did not keep until when it knew the venue. */
async function traded(isOld = false): Promise<Traded> {
  const ids = ClientIds.begin({ bot: 'tw', epoch: 1 });
  const r = rig({}, { polls: POLLS, ids });
  r.kernel.inbox.start();
  live(r, 8, [], []);
  const market = r.ctx().markets[0]!;
  const id = r.ctx().open(market, 'LONG', { size: '0.010' });
  r.venue.accepted(id, `v${id}`);
  const orders = [orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: r.clock.time, updatedAt: r.clock.time })];
  live(r, 40, orders, held(10, r.clock.time));
  r.venue.accepted(r.ctx().placeTrigger({ market, side: 'LONG', size: '0.003', trigger: 1020 }), 'plan');
  live(r, 40, orders, held(10, r.clock.time));
  const folder = join(newFolder(), 'bot');
  await dies(openEmbeddedStore({ folder }), r, ids, isOld);
  return { folder, orders, end: r.clock.time };
}

/** Keeps the records and a snapshot, as the bot does every five seconds, and closes the store. */
async function dies(store: OpenStore, r: Rig, ids: ClientIds, isOld = false): Promise<void> {
  for (const record of r.records) store.append(record);
  await store.commit();
  const { knownUntil, ...older } = r.kernel.snapshot();
  const kernel = isOld ? older : { ...older, knownUntil };
  store.put('format', '1');
  store.put('epochs', JSON.stringify(ids.saved()));
  const shown = { bot: 'tw', status: {}, instruments: [] };
  store.put('snapshot', JSON.stringify({ after: await store.last(), kernel, fills: 0, startEquity: 0, hasBegun: true, shown }));
  await store.commit();
  await store.close();
}

/** The bot that starts at `time` with the store. */
async function started(folder: string, time: number): Promise<Started> {
  const store = openEmbeddedStore({ folder });
  const recovered = await recover(store, 'tw', time);
  const { ids, journalEnd, snapshot } = recovered;
  const r = rig({}, { polls: POLLS, external: { position: 'adopt' }, ids, journalEnd });
  r.clock.time = time;
  r.kernel.restore(snapshot!);
  r.kernel.inbox.start();
  return { r, recovered, store };
}

/** Restores a backup of the store at `time`. */
async function restored({ folder, end }: Traded, time: number): Promise<string> {
  const made = await makeBackup({ folder, config: null, to: join(newFolder(), 'copy.gz'), now: end });
  const elsewhere = join(newFolder(), 'bot');
  await restoreBackup({ path: made.file, config: configIn(elsewhere), now: time, env: { TICKWRIGHT_STATE_HOME: '/nowhere' } });
  return elsewhere;
}

/** The trigger order fired at `at` under a name of the venue, and what it opened was closed: the position is as it was. */
function fired(at: number): OrderReport[] {
  return [OPEN, CLOSE].map((effect, k) => {
    const command = { ...emptyCommand(), type: MARKET, side: LONG, effect, size: 3 };
    const time = at + k * 60_000;
    const about = { venueId: `fired${k}`, clientId: '', averagePrice: 1020.2, fee: 60_000_000, createdAt: time, updatedAt: time };
    return orderReport(command, 'filled', about);
  });
}

/** The bot reads that the trigger order filled between the end of the store and its start at `time`. */
async function readsFill(folder: string, { orders, end }: Traded, time: number): Promise<void> {
  const { r, store } = await started(folder, time);
  live(r, 80, [...orders, ...fired(end + HOUR)], held(10, end + HOUR + 60_000));
  const known = r.records.filter(({ kind, seq, data }) => (kind === 'fill' && seq === 2) || (kind === 'fee' && data['order'] === 2));
  expect(known).toMatchObject([
    { kind: 'fee', data: { fee: 60_000_000 } },
    { kind: 'fill', data: { lots: 3 } },
  ]);
  expect(r.kernel.liveOrders()).toEqual([]);
  await store.close();
}

const haltsOf = ({ r }: Started): string[] => r.kernel.status().halts.map(({ code }) => code);

it.each(['this', 'an older'])('what filled between a backup of %s version and its restore hours later is read', async (version) => {
  const bot = await traded(version !== 'this');
  await readsFill(await restored(bot, bot.end + 4 * HOUR), bot, bot.end + 4 * HOUR + 60_000);
});

it('a start that did not reach the venue knows no more than the one before, whatever it wrote', async () => {
  const bot = await traded();
  const { r, recovered, store } = await started(bot.folder, bot.end + 4 * HOUR);
  r.kernel.inbox.operate({ name: 'halt', scope: '', why: 'looks', by: 'me' });
  r.advance(5_000);
  expect(r.records.map(({ kind }) => kind)).toContain('halt');
  await dies(store, r, recovered.ids);
  await readsFill(bot.folder, bot, bot.end + 4 * HOUR + 60_000);
});

it('a bot that got no answer for hours knew the venue until the last one', async () => {
  const bot = await traded();
  const { r, recovered, store } = await started(bot.folder, bot.end + 60_000);
  live(r, 40, bot.orders, held(10));
  r.clock.time += 4 * HOUR;
  r.advance(1_000);
  r.kernel.inbox.operate({ name: 'halt', scope: '', why: 'looks', by: 'me' });
  await dies(store, r, recovered.ids);
  await readsFill(bot.folder, bot, bot.end + 4 * HOUR + 120_000);
});

it.each([6, 8])('after %i days the bot says what it does not know, and opens nothing until a person looked', async (days) => {
  const { folder, orders, end } = await traded();
  const bot = await started(folder, end + days * DAY);
  live(bot.r, 60, orders, held(10));
  expect(haltsOf(bot)).toEqual(days > 7 ? ['history-gap'] : []);
  if (days > 7) expect(bot.r.kernel.status().halts[0]!.detail).toContain('did from 8.0 to 7.0 days before is unknown');
  await bot.store.close();
});

it('a bot that was away for weeks with nothing open has missed nothing, unless it may have traded on after a backup', async () => {
  const bot = await traded();
  const { r, recovered, store } = await started(bot.folder, bot.end + HOUR);
  live(r, 80, [...bot.orders, ...fired(bot.end + 60_000)], []);
  await dies(store, r, recovered.ids);
  const time = bot.end + 20 * DAY;
  for (const [folder, halts] of [
    [bot.folder, []],
    [await restored(bot, time), ['journal-restored', 'history-gap']],
  ] as const) {
    const after = await started(folder, time);
    live(after.r, 20, [], []);
    expect(haltsOf(after)).toEqual(halts);
    await after.store.close();
  }
});
