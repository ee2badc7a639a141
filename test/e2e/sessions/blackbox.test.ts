/** A black box of a real session holds no secret of it and replays; a session with a fault shrinks to a test that fails until it is mended. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRecord } from '../../../src/base/fields.ts';
import { sessionsIn } from '../../../src/edge/file/session-file.ts';
import type { MadeBox } from '../../../src/run/blackbox/make-box.ts';
import { noteEntry } from '../../../src/run/blackbox/box-session.ts';
import { Scrubber } from '../../../src/run/blackbox/scrubber.ts';
import { shownFault } from '../../../src/run/blackbox/fixture.ts';
import type { Shrunk } from '../../../src/run/blackbox/shrink.ts';
import { openSession } from '../../../src/run/replay/replay.ts';
import type { Entry, Head } from '../../../src/run/session/entries.ts';
import { cleanUp, ROOT, runToEnd } from '../process.ts';
import { Stage } from '../stage.ts';

let stage: Stage;
let strategy = '';
/** The second session begins with what the first left behind. */
let sessions: readonly string[] = [];

beforeAll(async () => {
  stage = new Stage();
  strategy = join(stage.folder, 'CANARYfolder/CANARYfile.ts');
  mkdirSync(dirname(strategy));
  copyFileSync(join(ROOT, 'test/e2e/strategies/third.ts'), strategy);
  const strategies = [{ file: strategy, name: 'canaryname', symbols: ['BTCUSDT'], params: { label: 'CANARYlabel' } }];
  const at = ['--state', join(stage.folder, 'bot')];
  await stage.startBot({ config: { bot: 'canary7', strategies, record: { answers: true } } });
  await stage.bot.untilLogged('fill');
  // The fault comes after the signal: until then the session becomes long enough to be worth shrinking.
  await sleep(2_000);
  await runToEnd(['signal', 'canaryname', 'CANARYsignal', ...at, '--why', 'CANARYreason']);
  await runToEnd(['halt', 'ETHUSDT', ...at, '--why', 'CANARYwhy']);
  const params = {
    symbol: 'BTCUSDT',
    marginMode: 'CROSS',
    size: '0.001',
    side: 'SHORT',
    tradeSide: 'OPEN',
    orderType: 'MARKET',
    clientOid: 'CANARYoid',
  };
  await stage.operator('call', { account: 'account-1', endpoint: 'E12', params });
  await stage.bot.untilLogged('strategy-error');
  await stage.bot.kill('SIGTERM');
  stage.launchBot();
  await stage.bot.untilLogged('strategy-error');
  await stage.bot.kill('SIGTERM');
  await stage.end();
  sessions = sessionsIn(join(stage.folder, 'bot/sessions'));
});
afterAll(cleanUp);

async function json<T>(...args: readonly string[]): Promise<T> {
  const { out, err } = await runToEnd([...args, '--json']);
  if (out === '') throw new Error(err);
  return JSON.parse(out) as T;
}

/** The same entry with a canary as each text of it, and a field more in each object. */
function poisoned(value: unknown, path = ''): unknown {
  if (typeof value === 'string') return `CANARY${path}`;
  if (Array.isArray(value)) return value.map((one) => poisoned(one, path));
  if (!isRecord(value)) return value;
  return { ...Object.fromEntries(Object.entries(value).map(([key, one]) => [key, poisoned(one, `${path}.${key}`)])), CANARYkey: 1 };
}

describe('a black box', () => {
  it.each([
    ['of a first start, with recorded intents', 0, ['--intents']],
    ['of a restart, with the texts of the strategies', 1, []],
  ])('%s, replays, and has no text, id, name or path of the bot', async (_, k, flags) => {
    expect(sessions).toHaveLength(2);
    const out = join(stage.folder, `box-${k}.jsonl`);
    const { why, replays } = await json<MadeBox>('blackbox', sessions[k]!, '--out', out, ...flags);
    expect([why, replays]).toEqual(['', true]);
    const text = readFileSync(out, 'utf8');
    expect(text.match(/.{0,80}canary.{0,80}/i)?.[0]).toBeUndefined();
    expect(text).not.toContain(stage.folder);
    expect(text.includes('cannot hold')).toBe(flags.length === 0);
    const times = [...text.matchAll(/"at":(\d{12,13})[,}]/g)].map(([, at]) => Number(at));
    expect(Math.max(...times)).toBeLessThan(Date.UTC(2001, 0, 16));
    const again = await runToEnd(['replay', out]);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('equal to the end')]);
  });

  it('has no canary that was put into every field of every entry', () => {
    for (const session of sessions) {
      const { head, entries } = openSession(session);
      const all = [head, ...entries].map((entry) => poisoned(entry) as Entry);
      const scrubber = new Scrubber({ startedAt: head.startedAt, bot: 'other', symbols: ['BTCUSDT'], texts: [], renames: new Map() });
      for (const entry of all) noteEntry(scrubber, entry);
      scrubber.number();
      const text = JSON.stringify(all.map((entry) => scrubber.scrub(entry)));
      expect(all.length).toBeGreaterThan(50);
      expect(text.match(/.{0,60}canary.{0,60}/i)?.[0]).toBeUndefined();
      expect(JSON.stringify([...scrubber.leftOut])).not.toContain('CANARY');
    }
  });
});

describe('shrink', () => {
  it('gives the fewest events that show the fault, always the same, as a test that fails until it is mended', async () => {
    const [first, second] = [join(stage.folder, 'a.test.ts'), join(stage.folder, 'b.test.ts')];
    const shrunk = await json<Shrunk>('shrink', sessions[0]!, '--out', first);
    expect(shrunk.fault).toMatch(/^strategy-error /);
    expect(shrunk.before).toBeGreaterThan(60);
    expect(shrunk.after).toBeLessThanOrEqual(25);
    await json<Shrunk>('shrink', sessions[0]!, '--out', second, '--fault', shrunk.fault);
    const fixture = join(stage.folder, 'a.json');
    expect(readFileSync(fixture, 'utf8')).toBe(readFileSync(join(stage.folder, 'b.json'), 'utf8'));
    mkdirSync(join(stage.folder, 'node_modules'));
    symlinkSync(ROOT, join(stage.folder, 'node_modules/tickwright'));
    const run = () => spawnSync(process.execPath, ['--test', first], { encoding: 'utf8', cwd: ROOT });
    const failed = run();
    expect([failed.status, failed.stdout]).toEqual([1, expect.stringContaining(`'${shrunk.fault}'`)]);
    expect(await shownFault(fixture)).toBe(shrunk.fault);
    // A guarded run is written as one: whoever plays it, strategies stay guarded.
    const guardOf = (file: string): unknown => (JSON.parse(readFileSync(file, 'utf8')) as { head: Head }).head.config['strategyGuard'];
    expect([openSession(sessions[0]!).head.config['strategyGuard'], guardOf(fixture)]).toEqual(['on', 'on']);
    writeFileSync(strategy, readFileSync(strategy, 'utf8').replace('market.long.lots >= 3', 'false'));
    expect(run()).toMatchObject({ status: 0, stderr: '' });
  });
});
