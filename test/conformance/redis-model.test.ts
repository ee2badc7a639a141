/** The Redis model of the simulated lease compared with a real server: the same scripts, the same replies. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { RedisClient } from '../../src/edge/redis/redis-client.ts';
import { keysOf } from '../../src/edge/redis/keys.ts';
import { ACQUIRE, COMMIT, RELEASE, RENEW, scriptKeys } from '../../src/edge/redis/scripts.ts';
import { RedisModel } from '../support/stores/redis-model.ts';
import { hasRedis, startRedis, type RedisServer } from '../support/stores/redis.ts';

const STEPS = 600;
const FOREVER_MS = '60000000';

describe.skipIf(!hasRedis('the model of Redis'))('the model of Redis', () => {
  let server: RedisServer;
  let client: RedisClient;
  beforeAll(async () => {
    server = await startRedis({ appendfsync: 'no' });
    client = new RedisClient({ url: server.url, timeoutMs: 10_000 });
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });

  it('answers every script as the server does, also if keys are gone [P7]', async () => {
    const random = new Random(4);
    const model = new RedisModel();
    const named = keysOf('one');
    const keys = scriptKeys(named);
    const draw = (...words: string[]): string => words[random.below(words.length)]!;
    const replies = new Set<string>();
    let [fence, position, link, commit] = ['0', '0', 'g', ''];
    for (let step = 0; step < STEPS; step++) {
      const [name, run] = [draw('x', 'y'), draw('r1', 'r2', '')];
      const own = draw(fence, fence, fence, String(Number(fence) - 1));
      const chance = random.uniform();
      if (chance < 0.06) {
        await client.command('DEL', named.lease);
        model.expire(named.lease);
        continue;
      }
      if (chance < 0.07) {
        await client.command('FLUSHALL');
        model.flush();
        continue;
      }
      if (chance < 0.09) {
        // A server that lost the last fencing number.
        await client.command('SET', named.fence, '1');
        model.set(named.fence, '1');
        continue;
      }
      const [script, args] =
        chance < 0.3
          ? [ACQUIRE, [name, FOREVER_MS, '2', 'g', run]]
          : chance < 0.5
            ? [RENEW, [own, name, FOREVER_MS]]
            : chance < 0.6
              ? [RELEASE, [own, name, run]]
              : [
                  COMMIT,
                  [
                    own,
                    name,
                    FOREVER_MS,
                    draw(position, position, position, '7'),
                    link,
                    `l${step}`,
                    '2',
                    draw(`c${step}`, `c${step - 1}`),
                    draw(commit, commit, commit, commit, 'other'),
                    ...records(step),
                  ],
                ];
      const [real, said] = [await client.script(script, keys, args), model.script(script, keys, args)];
      const [a, b] = [real, said].map((reply) => (Array.isArray(reply) && reply[0] === 'held' ? reply.slice(0, 2) : reply));
      expect(b, `step ${step}`).toEqual(a);
      const [verdict, first] = real as string[];
      replies.add(String(verdict));
      if (script === ACQUIRE && verdict === 'ok') {
        [fence, position, link, commit] = [first!, (real as string[])[5]!, (real as string[])[6]!, (real as string[])[7]!];
        replies.add((real as string[])[2]!);
      }
      if (script === COMMIT) {
        const head = await client.command('HMGET', named.head, 'position', 'link', 'commit');
        expect(model.command('HMGET', named.head, 'position', 'link', 'commit')).toEqual(head);
        if (Array.isArray(head) && head[0] !== null) [position, link, commit] = [String(head[0]), String(head[1]), String(head[2] ?? '')];
      }
      expect(model.command('XRANGE', named.journal, '1-0', '+', 'COUNT', 5)).toEqual(
        await client.command('XRANGE', named.journal, '1-0', '+', 'COUNT', 5),
      );
      expect(pairs(model.command('HGETALL', named.head))).toEqual(pairs(await client.command('HGETALL', named.head)));
    }
    expect([...replies].sort()).toEqual(['held', 'lost', 'moved', 'ok', 'open', 'returned']);
  });
});

function records(step: number): string[] {
  const one = (k: number): string[] => [`{"k":${k}}`, 'command', String(step), '1', `l${step}-${k}`];
  return [...one(1), ...one(2), 'key', `value ${step}`];
}

/** Sorted, because a Redis hash has no order. */
function pairs(reply: unknown): string[] {
  const flat = reply as string[];
  return flat.flatMap((text, k) => (k % 2 === 0 ? [`${text}=${flat[k + 1]}`] : [])).sort();
}
