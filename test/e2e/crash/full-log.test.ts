/** A bot whose log cannot be written trades on, says so in its status, and stops cleanly: the exchange's ledger is the judge. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { StatusAnswer } from '../../../src/control/answers.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { hasSmallDisk, smallDisk } from '../../support/stores/small-disk.ts';
import { addressOf, cleanUp, launch, runToEnd, STOPPED, type Program } from '../process.ts';
import { Scene } from '../scene.ts';

afterEach(cleanUp);

const orders = (scene: Scene): number => readLedger(scene.ledgerFolder).orders.length;

/** Waits until the ledger has so many more orders of the bot than now. */
async function untilMore(scene: Scene, bot: Program, more: number): Promise<void> {
  const wanted = orders(scene) + more;
  const end = performance.now() + 180_000;
  while (orders(scene) < wanted) {
    if (!bot.isRunning) throw new Error(`the bot ended with ${bot.code ?? bot.signal}: ${bot.err.slice(-2_000)}`);
    if (performance.now() > end) throw new Error(`no ${more} orders more: ${bot.err.slice(-2_000)}`);
    await sleep(50);
  }
}

async function statusOf(scene: Scene): Promise<StatusAnswer> {
  const { out, err, code } = await runToEnd(['status', '--state', scene.botFolder, '--json']);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as StatusAnswer;
}

describe('a bot whose log cannot be written', () => {
  it.skipIf(!existsSync('/dev/full'))('trades on while stdout and stderr are full devices, and stops cleanly', async () => {
    const scene = new Scene(31);
    const full = openSync('/dev/full', 'w');
    const url = await addressOf(scene.exchange());
    const bot = scene.run(url, [], {}, { out: full, err: full });
    closeSync(full);
    await untilMore(scene, bot, 20);
    const { lostLines, phase, lastError } = await statusOf(scene);
    expect([phase, lostLines?.cause, lostLines?.isLosing]).toEqual(['armed', 'ENOSPC', true]);
    expect(lostLines!.lines).toBeGreaterThan(5);
    expect(lastError).not.toBeNull();
    await untilMore(scene, bot, 20);
    await bot.kill('SIGTERM');
    expect(STOPPED).toContain(bot.code);
  });

  it.skipIf(!hasSmallDisk('a bot whose stdout is on a full disk'))(
    'trades on while its log file is on a full disk, and writes again once there is room',
    async () => {
      const scene = new Scene(32);
      const disk = smallDisk(512);
      try {
        const path = join(disk.folder, 'out.log');
        const out = openSync(path, 'a');
        const url = await addressOf(scene.exchange());
        const bot = scene.run(url, [], {}, { out });
        closeSync(out);
        await untilMore(scene, bot, 5);
        disk.fill();
        await bot.untilLogged('log-not-written');
        const size = statSync(path).size;
        await untilMore(scene, bot, 20);
        const full = await statusOf(scene);
        expect(full.lostLines).toMatchObject({ cause: 'ENOSPC', isLosing: true });
        expect((await runToEnd(['status', '--state', scene.botFolder])).out).toMatch(
          /^log +[\d,]+ lines of the log lost \(ENOSPC\), .* to now/m,
        );
        disk.free();
        await bot.until('the log grows again', () => statSync(path).size > size + 2_000);
        expect((await statusOf(scene)).lostLines?.isLosing).toBe(false);
        await bot.kill('SIGTERM');
        expect(STOPPED).toContain(bot.code);
      } finally {
        await cleanUp();
        disk.remove();
      }
    },
  );

  it.skipIf(!existsSync('/dev/full'))('a command whose answer cannot be written says so, and ends with 1', async () => {
    const full = openSync('/dev/full', 'w');
    const help = launch(['--help'], {}, { out: full });
    await help.ended;
    closeSync(full);
    expect([help.code, help.err]).toEqual([
      1,
      expect.stringMatching(/^error: the output could not be written: ENOSPC.*\n +code: output-unwritable\n$/),
    ]);
  });
});
