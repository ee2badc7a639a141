/** What the files of a stopped bot say: its journal from the beginning, or its snapshot and the records after it, each once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ClientIds } from '../../../../src/domain/orders/client-ids.ts';
import { openEmbeddedStore } from '../../../../src/edge/embedded/embedded-store.ts';
import { HaltRequests } from '../../../../src/edge/file/beside/halt-requests.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { fillsIn } from '../../../../src/run/bot/answers/fill-answers.ts';
import { openStoppedBot } from '../../../../src/run/bot/store/stopped.ts';
import { pushedRig } from '../../../support/engine/engine-kit.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** The store of a bot that placed an order, which filled in two parts and whose stop-loss fired; a snapshot covers the first `after` records, if any. */
async function stored(after: number): Promise<string> {
  const r = pushedRig();
  const seq = r.ctx().open(r.ctx().markets[0]!, 'LONG', { limit: 999, size: '0.01', stopLoss: 990 });
  r.venue.accepted(seq, 'v1');
  r.venue.pushedFill(seq, 4, 9_990);
  r.advance(5);
  r.venue.pushedFill(seq, 2, 9_990);
  r.venue.pushedOwnFill(0, 0, 1, 6, 9_895);
  const records = r.records.filter(({ kind }) => kind !== 'fee' && kind !== 'leg');
  expect(records.map(({ kind }) => kind)).toEqual(['command', 'outcome', 'fill', 'fill', 'exit']);
  const folder = mkdtempSync(join(tmpdir(), 'stopped-bot-'));
  folders.push(folder);
  const store = openEmbeddedStore({ folder });
  for (const record of records) store.append(record);
  const kernel = foldRecords(null, records.slice(0, after));
  // What it covers is not read again.
  if (after > 1) Object.assign(kernel.orders[0]!, { venueId: 'of the snapshot' });
  const fills = Math.max(0, after - 2);
  if (after > 0) store.put('snapshot', JSON.stringify({ after, kernel, fills, startEquity: 0 }));
  store.put('epoch', '7');
  await store.commit();
  await store.close();
  return folder;
}

test.each([0, 1, 2, 3, 4, 5])('a snapshot of the first %i of five records', async (after) => {
  const clientId = ClientIds.begin({ bot: 'bot', epoch: 7 }).idOf(1);
  const bot = openStoppedBot(await stored(after))!;
  expect(bot.orders()).toMatchObject([
    { number: 1, size: '10 lots', filled: '6 lots', venueId: after > 1 ? 'of the snapshot' : 'v1', clientId },
  ]);
  // The same number as of lines of `fills` and `export fills`.
  expect(bot.status()).toMatchObject({ isRunning: false, orders: 1, fills: 3 });
  expect(await fillsIn(bot.records(), {})).toHaveLength(3);
  expect([...bot.records()]).toHaveLength(5);
  bot.close();
});

test('its halts have the fields of an answer, and no others', async () => {
  const folder = await stored(5);
  const store = openEmbeddedStore({ folder });
  const kernel = { halts: [{ scope: 'bot', code: 'operator', detail: 'a try', since: 5, by: 'test', seq: 0 }] };
  store.put('snapshot', JSON.stringify({ after: 5, kernel: { ...foldRecords(null, []), ...kernel }, fills: 3, startEquity: 0 }));
  await store.commit();
  await store.close();
  const bot = openStoppedBot(folder)!;
  expect(bot.status().halts).toEqual([{ scope: 'bot', code: 'operator', detail: 'a try', since: 5, by: 'test', ends: expect.any(String) }]);
  bot.close();
});

test('a folder without a store has no bot', () => {
  expect(openStoppedBot(join(tmpdir(), 'no-such-folder'))).toBeNull();
});

test('a halt that an operator and a watchdog asked for names both', async () => {
  const folder = await stored(5);
  const requests = new HaltRequests(folder);
  const asked = { name: 'halt', scope: '', time: 7 } as const;
  requests.add({ ...asked, id: 'a', by: 'ann', why: 'lunch' });
  requests.add({ ...asked, id: 'b', by: 'watchdog', why: 'no sign of life for 10 s' });
  const bot = openStoppedBot(folder)!;
  expect(bot.status().halts).toMatchObject([{ code: 'operator', by: 'ann and watchdog', detail: 'lunch; no sign of life for 10 s' }]);
  bot.close();
});
