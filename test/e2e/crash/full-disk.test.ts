/**
 * A bot whose disk is full, on a real small disk: every end is 75 with the same code, halts given meanwhile are kept, nothing half written
 * is left, and with room again the bot continues as if nothing had happened. The exchange's ledger is the judge.
 */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { hasSmallDisk, smallDisk, type SmallDisk } from '../../support/stores/small-disk.ts';
import { CLEAN, journalIn } from '../audit.ts';
import { addressOf, cleanUp, DEMO, freshFolder, runToEnd, STOPPED, type Program } from '../process.ts';
import { Scene } from '../scene.ts';

const KILOBYTES = 900;
let disk: SmallDisk;

afterEach(async () => {
  await cleanUp();
  disk.remove();
});

/** The code that the program printed or logged at its end. */
const saidBy = ({ err, code }: Program): readonly [number | null, string] => [code, /^ {2}code: (.*)$/m.exec(err)?.[1] ?? ''];

describe.skipIf(!hasSmallDisk('a bot on a full disk'))('a bot whose disk is full', () => {
  it.each([
    ['its store', false],
    ['its store and the locks of the accounts', true],
  ])('of %s ends with 75 at every start, keeps halts, and continues once there is room', async (_what, isAll) => {
    disk = smallDisk(KILOBYTES);
    const scene = new Scene(33);
    const folder = join(disk.folder, 'bot');
    const settings = [`store.folder=${folder}`];
    const env = { TICKWRIGHT_STATE_HOME: isAll ? join(disk.folder, 'state') : freshFolder() };
    const exchange = scene.exchange();
    const url = await addressOf(exchange);
    const operate = (...args: readonly string[]): Promise<Program> => runToEnd([...args, '--state', folder], { ...DEMO, ...env });

    const first = scene.run(url, settings, env);
    await first.untilLogged('fill', 3);
    disk.fill();
    await first.ended;
    expect(first.logged('journal-failed')).toHaveLength(1);
    expect(first.code).toBe(75);
    const placed = readLedger(scene.ledgerFolder).orders.length;

    for (let start = 1; start <= 3; start++) {
      disk.fill();
      const again = scene.run(url, settings, env);
      await again.ended;
      expect(saidBy(again), again.err).toEqual([75, isAll ? 'disk-full' : 'store-full']);
      expect(again.err).toContain('free space');
    }
    expect(readLedger(scene.ledgerFolder).orders.length, 'no order leaves without a journal').toBe(placed);

    disk.fill();
    const halted = await operate('halt', '--why', 'the disk is full');
    expect([halted.code, halted.out], halted.err).toEqual([7, expect.stringContaining('the bot does not run')]);
    const status = await operate('status');
    expect([status.code, status.out], status.err).toEqual([0, expect.stringContaining('HALTED')]);
    const killed = await operate('kill');
    expect([killed.code, killed.out], killed.err).toEqual([7, expect.stringContaining('the bot does not run')]);
    const set = ['--set', `store.folder=${folder}`, '--set', `venue.baseUrl=${url}`];
    const examined = await runToEnd(['doctor', '--config', 'config/paper.yaml', ...set, '--json'], { ...DEMO, ...env });
    expect(examined.out).toContain(`0 MB are free on the disk of ${folder}`);
    expect(disk.files().filter((name) => /\.new$|\.sqlite\.|lock\.json\./.test(name))).toEqual([]);

    disk.free();
    const last = scene.run(url, settings, env);
    await last.untilLogged('armed');
    expect(last.logged('halt-request').map(({ command }) => command)).toEqual(['halt', 'kill']);
    expect((await operate('resume', '--i-know')).code).toBe(0);
    await last.untilLogged('fill');
    await scene.calmDown(last);
    await last.kill('SIGTERM');
    expect(STOPPED).toContain(last.code);
    await exchange.kill('SIGTERM');
    expect(await scene.compare('a full disk', 0, last, await journalIn(folder, 'paper'))).toMatchObject(CLEAN);
  });
});
