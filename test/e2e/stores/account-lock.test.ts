/** One bot per account on one machine, whatever its folder or id: with real processes. The kernel releases the locks of a killed one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, type Program } from '../process.ts';

const STARTS = Number(process.env['TICKWRIGHT_LOCK_STARTS'] ?? 24);
const HOLDER = fileURLToPath(new URL('../../support/stores/lock-holder.ts', import.meta.url));

afterEach(cleanUp);

function run(url: string, env: Readonly<Record<string, string>>, bot = 'paper'): Program {
  const set = [`venue.baseUrl=${url}`, `store.folder=${join(freshFolder(), 'bot')}`, `bot=${bot}`].flatMap((one) => ['--set', one]);
  return launch(['run', '--config', 'config/paper.yaml', ...set], { ...DEMO, ...env });
}

describe('a second bot on one account', () => {
  it('ends with 75, whatever its folder, id and spelling of the address [P6] [outcomes 3.6]', async () => {
    const env = { TICKWRIGHT_STATE_HOME: freshFolder() };
    const url = await addressOf(launch(['exchange', '--synth', '--accounts', '2', '--port', '0']));
    const first = run(url, env);
    await first.untilLogged('armed');

    const second = run(url.replace('127.0.0.1', 'localhost'), env, 'other');
    await second.ended;
    console.info(`refused ${second.age.toFixed(0)} ms after its start`);
    expect(second.code).toBe(75);
    expect(second.err).toMatch(/^error: process \d+ \(bot paper, store .*\) already trades on this account/);
    expect(second.err).not.toContain('demo-key');
    expect(second.logged('armed')).toEqual([]);

    const elsewhere = { TICKWRIGHT_KEY: 'demo-key-2', TICKWRIGHT_SECRET: 'demo-secret-2', TICKWRIGHT_PASSPHRASE: 'demo-pass-2' };
    const other = run(url, { ...env, ...elsewhere });
    await other.untilLogged('armed');
    expect(first.isRunning, 'the first bot is not disturbed').toBe(true);

    await first.kill('SIGKILL');
    const next = run(url, env);
    await next.untilLogged('armed');
  });

  it.runIf(process.platform === 'linux')('is refused even after the lock file was deleted', async () => {
    const env = { TICKWRIGHT_STATE_HOME: freshFolder() };
    const url = await addressOf(launch(['exchange', '--synth', '--port', '0']));
    const first = run(url, env);
    await first.untilLogged('armed');
    const locks = join(env.TICKWRIGHT_STATE_HOME, 'locks');
    for (const name of readdirSync(locks)) rmSync(join(locks, name));
    const second = run(url, env);
    await second.ended;
    expect([second.code, second.logged('armed')]).toEqual([75, []]);
  });

  it(
    `never holds the lock with another in ${STARTS} racing starts, some of them killed [P6]`,
    { timeout: 300_000 + STARTS * 1_000 },
    async () => {
      const state = freshFolder();
      const mark = join(state, 'mark');
      const random = new Random(6);
      let held = 0;
      for (let started = 0; started < STARTS; started += 4) {
        const outputs = await Promise.all(
          Array.from({ length: 4 }, async (_, k) => {
            const child = spawn(process.execPath, [HOLDER, state, mark, String(20 + random.below(60))], {
              stdio: ['ignore', 'pipe', 'pipe'],
            });
            let text = '';
            child.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()));
            child.stderr.on('data', (bytes: Buffer) => (text += bytes.toString()));
            const isKilled = k === 0 && random.uniform() < 0.3;
            if (isKilled) {
              child.stdout.once('data', () => {
                rmSync(mark, { force: true });
                child.kill('SIGKILL');
              });
            }
            await once(child, 'close');
            return text;
          }),
        );
        for (const text of outputs) {
          expect(text).toMatch(/^(held|refused)\n$/);
          if (text === 'held\n') held++;
        }
        rmSync(mark, { force: true });
      }
      expect(held).toBeGreaterThanOrEqual(STARTS / 4);
    },
  );
});
