/** Searches whose trials run in workers on a real Redis: the same hash, also when workers are killed; other versions are refused. */
import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchResult } from '../../../src/report/research/search-result.ts';
import { writeRandomTape } from '../../support/backtest/reference-strategy.ts';
import { hasRedis, startRedis, type RedisServer } from '../../support/stores/redis.ts';
import { cleanUp, freshFolder, launch, ROOT, runToEnd, type Program } from '../process.ts';

describe.skipIf(!hasRedis('a search on Redis'))('a search on Redis', () => {
  let redis: RedisServer;
  let folder = '';
  let common: string[] = [];
  let local: SearchResult;

  beforeAll(async () => {
    redis = await startRedis();
    folder = freshFolder();
    writeRandomTape(join(folder, 'tape'), { seed: 5, rows: 4_000, symbols: 1, stepMs: 300 });
    // A strategy of two files: both must reach the workers.
    copyFileSync(join(ROOT, 'strategies/ema-cross.ts'), join(folder, 'inner.ts'));
    writeFileSync(join(folder, 'cross.ts'), "import inner from './inner.ts';\nexport default inner;\n");
    const files = ['--tape', join(folder, 'tape'), '--strategy', join(folder, 'cross.ts')];
    const params = ['--param', 'fast=2..30', '--param', 'slow=31..120', '--param', 'bar=1s'];
    common = ['optimize', ...files, ...params, '--every-tick', '--by', 'netProfit', '--trials', '120', '--prune', '--json'];
    local = resultOf(await runToEnd(common));
  });
  afterAll(async () => {
    await cleanUp();
    await redis.remove();
  });

  function resultOf({ code, out, err }: Program): SearchResult {
    expect(err).toBe('');
    expect(code).toBe(0);
    return JSON.parse(out) as SearchResult;
  }

  async function startWorker(cache: string): Promise<Program> {
    const worker = launch(['worker', '--redis', redis.url, '--workers', '1', '--cache', join(folder, cache)]);
    await worker.until('ready', () => worker.err.includes('ready:'));
    return worker;
  }

  it('has the hash and the result of a local one with 1 and with 2 workers, and fetches the tape once', async () => {
    const first = await startWorker('a');
    const alone = resultOf(await runToEnd([...common, '--redis', redis.url]));
    expect(alone.hash).toBe(local.hash);
    const folders = (): (readonly [string, number])[] =>
      readdirSync(join(folder, 'a')).map((name) => [name, statSync(join(folder, 'a', name)).mtimeMs] as const);
    const fetched = folders();
    // Its tape and its strategy.
    expect(fetched.length).toBe(2);
    const second = await startWorker('b');
    const both = resultOf(await runToEnd([...common, '--redis', redis.url]));
    expect({ ...both, performance: null }).toEqual({ ...local, performance: null });
    expect(folders()).toEqual(fetched);
    expect(second.err).toMatch(/search [0-9a-f]{12}: tape/);
    for (const worker of [first, second]) {
      await worker.kill('SIGTERM');
      expect(worker.code).toBe(0);
    }
  });

  it('has the same hash when workers are killed in the middle', async () => {
    const doomed = await startWorker('c');
    const search = launch([...common, '--redis', redis.url, '--study', join(folder, 'killed.study')]);
    await doomed.until('the search', () => doomed.err.includes('strategy'));
    await doomed.kill('SIGKILL');
    const next = await startWorker('c');
    await next.until('the search', () => next.err.includes('strategy'));
    await next.kill('SIGKILL');
    expect(search.isRunning).toBe(true);
    const last = await startWorker('d');
    await search.ended;
    expect(resultOf(search).hash).toBe(local.hash);
    await last.kill('SIGTERM');
  });

  it('is refused if there are workers of another version only, and a worker says which search it refuses', async () => {
    await redis.say('SET tickwright:worker:9.9.9-abc-node26:x 1 EX 60');
    const { code, err } = await runToEnd([...common, '--redis', redis.url]);
    expect(code).toBe(78);
    expect(err).toMatch(/expected workers of 0\.1\.0-[0-9a-f]{12}-node\d+, found 9\.9\.9-abc-node26/);
    await redis.say('DEL tickwright:worker:9.9.9-abc-node26:x');
    await redis.say('SET tickwright:search:9.9.9-abc-node26:x 1 EX 60');
    const worker = await startWorker('e');
    await worker.until('the refusal', () => /refused: a search of 9\.9\.9-abc-node26; this worker is 0\.1\.0/.test(worker.err));
    await worker.kill('SIGTERM');
    await redis.say('DEL tickwright:search:9.9.9-abc-node26:x');
  });

  it('without a Redis ends with what to do', async () => {
    for (const args of [common, ['worker', '--cache', join(folder, 'f')]]) {
      const { code, err } = await runToEnd([...args, '--redis', 'redis://127.0.0.1:1']);
      expect(code).toBe(75);
      expect(err).toMatch(/redis at 127\.0\.0\.1:1 did not answer/);
      expect(err).toMatch(/start it, or correct the address/);
    }
  });
});
