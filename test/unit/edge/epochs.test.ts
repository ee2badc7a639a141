/** Epochs of client ids that start within one second: the account lock keeps the latest, so that no id is used twice. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeAccountLock, type AccountLock } from '../../../src/edge/file/account-lock.ts';
import { openMemoryStore } from '../../../src/edge/memory/memory-store.ts';
import { recover } from '../../../src/run/bot/store/recovered.ts';

const NOW = 1_700_000_000_400;

function lockIn(folder: string): Promise<AccountLock> {
  const env = { TICKWRIGHT_STATE_HOME: folder };
  return takeAccountLock({
    origin: 'http://127.0.0.1:1',
    isLoopback: true,
    key: 'k',
    holder: { bot: 'tw', store: 'x', folder: '/x' },
    env,
  });
}

async function idOfFirstOrder(folder: string): Promise<string> {
  const lock = await lockIn(folder);
  const { ids } = await recover(openMemoryStore(), 'tw', NOW, lock.lastEpoch);
  lock.noteEpoch(ids.epoch);
  lock.release();
  return ids.idOf(1);
}

it('journals lost three times within one second never issue the same id twice [outcomes 3.3]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'epochs-'));
  const ids = [await idOfFirstOrder(folder), await idOfFirstOrder(folder), await idOfFirstOrder(folder)];
  expect(new Set(ids).size).toBe(3);
  rmSync(folder, { recursive: true });
});

it('a damaged epoch file counts as no epoch', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'epochs-'));
  const first = await idOfFirstOrder(folder);
  const locks = join(folder, 'locks');
  for (const name of readdirSync(locks)) if (name.endsWith('.epoch')) writeFileSync(join(locks, name), 'torn\0');
  const lock = await lockIn(folder);
  expect(lock.lastEpoch).toBe(0);
  lock.release();
  expect(first).toMatch(/^tw-/);
  rmSync(folder, { recursive: true });
});

it('a store that a newer version wrote is refused and not changed', async () => {
  const store = openMemoryStore();
  await recover(store, 'tw', NOW);
  expect(await store.get('format')).toBe('1');
  store.put('format', '2');
  await store.commit();
  const epochs = await store.get('epochs');
  const refused = /newer version of Tickwright: its format is 2, and this version reads up to 1/;
  await expect(recover(store, 'tw', NOW + 60_000)).rejects.toThrow(refused);
  expect(await store.get('epochs')).toBe(epochs);
});
