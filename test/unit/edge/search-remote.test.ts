/** What searches and workers write to Redis about themselves. */
import { expect, test } from 'vitest';
import type { RedisCalls } from '../../../src/edge/redis/redis-client.ts';
import { programsOf, searchKey, stayKnown } from '../../../src/run/search/remote/protocol.ts';

/** As much of Redis as these calls need. */
function smallRedis(): { readonly keys: Set<string>; readonly calls: RedisCalls } {
  const keys = new Set<string>();
  const command = (name: string, ...args: readonly (string | number | Buffer)[]): Promise<unknown> => {
    if (name === 'SET') keys.add(String(args[0]));
    if (name === 'DEL') keys.delete(String(args[0]));
    const start = String(args[2]).replace('*', '');
    return Promise.resolve(name === 'SCAN' ? ['0', [...keys].filter((key) => key.startsWith(start))] : 'OK');
  };
  return { keys, calls: { command } as RedisCalls };
}

test('the programs of searches are those that run; what a search stored of itself is no program', async () => {
  const { keys, calls } = smallRedis();
  keys.add(searchKey('5a0157e377d9'));
  const forget = await stayKnown(calls, 'search', '0.1.0-abc-node26', 'one');
  expect([...(await programsOf(calls, 'search'))]).toEqual(['0.1.0-abc-node26']);
  expect([...(await programsOf(calls, 'worker'))]).toEqual([]);
  await forget();
  expect([...(await programsOf(calls, 'search'))]).toEqual([]);
});
