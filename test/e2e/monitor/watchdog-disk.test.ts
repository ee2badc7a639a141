/** The watchdog and a disk that is really full: a file system of its own, which takes root to mount. Judged by the ledger. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { CLOSE, OPEN } from '../../../src/domain/codes.ts';
import { hasRedis, startRedis, type RedisServer } from '../../support/stores/redis.ts';
import { OPENS, Watched } from '../../support/monitor/watched.ts';
import { cleanUp } from '../process.ts';

const SILENCE_MS = 20_000;
/** It takes a minute and a half, mostly waiting, so it is a command of its own. */
const IS_WANTED = process.env['TICKWRIGHT_FULL_DISK'] === '1';

const mounted = IS_WANTED ? mkdtempSync(join(tmpdir(), 'tickwright-disk-')) : '';
const isMounted = IS_WANTED && process.platform === 'linux' && run('mount', '-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', mounted);

function run(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

/** Takes all that is left of the disk. */
function fill(disk: string): void {
  const file = openSync(join(disk, 'filler'), 'w');
  try {
    for (let size = 1 << 20; size >= 1;)
      try {
        writeSync(file, Buffer.alloc(size));
      } catch {
        size >>= 1;
      }
  } finally {
    closeSync(file);
  }
}

/** Its status cannot be written on the full disk: the log says what it does. */
async function cleared(watched: Watched): Promise<void> {
  await watched.watchdog!.untilLogged('watchdog-done');
  expect(watched.watchdog!.logged('watchdog-unfenced')).toEqual([]);
  expect([watched.live(OPEN).length, watched.live(CLOSE).length]).toEqual([0, 1]);
}

describe.skipIf(!isMounted)('on a file system of its own (tmpfs, as root, TICKWRIGHT_FULL_DISK=1)', () => {
  let redis: RedisServer | null = null;
  afterEach(async () => {
    await cleanUp();
    await redis?.remove();
    redis = null;
    for (const name of readdirSync(mounted)) rmSync(join(mounted, name), { recursive: true });
  });
  afterAll(() => {
    run('umount', '-l', mounted);
    rmSync(mounted, { recursive: true });
  });

  it('a bot that ends because its disk is full is fenced in the spare room, and its opens are cancelled', async () => {
    const watched = await Watched.open({ silenceMs: SILENCE_MS, disk: mounted });
    fill(mounted);
    await watched.bot.ended;
    expect(watched.bot.code).toBe(75);
    await cleared(watched);
  });

  it.skipIf(!hasRedis('a bot on Redis beside a full disk'))(
    'a full disk does not silence a bot that has its journal elsewhere',
    async () => {
      redis = await startRedis();
      const watched = await Watched.open({ silenceMs: SILENCE_MS, disk: mounted, redis: redis.url });
      fill(mounted);
      await sleep(2 * SILENCE_MS);
      expect([watched.bot.isRunning, watched.watchdog!.logged('watchdog-acts')]).toEqual([true, []]);
      expect(watched.live(OPEN)).toHaveLength(OPENS + 1);
      watched.bot.send('SIGSTOP');
      await cleared(watched);
      const last = watched.lastRequest();
      watched.bot.send('SIGCONT');
      await watched.bot.untilLogged('halt-request');
      expect(watched.openedAfter(last)).toBe(0);
    },
  );
});
