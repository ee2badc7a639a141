/** Halts that are asked for through files: what is written, what a bot finds, and what a look costs. */
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLOSE, OPEN, PLACE, CANCEL } from '../../../src/domain/codes.ts';
import { HaltMarker } from '../../../src/edge/file/beside/halt-marker.ts';
import { HaltRequests, type HaltRequest } from '../../../src/edge/file/beside/halt-requests.ts';
import type { OperatorCommand, OperatorResult } from '../../../src/engine/operator/command.ts';
import { SILENT_LOG } from '../../../src/ports/log.ts';
import { AskedHalts } from '../../../src/run/bot/store/asked-halts.ts';
import { hasSmallDisk, smallDisk } from '../../support/stores/small-disk.ts';

const REQUEST: HaltRequest = { id: 'a', name: 'halt', scope: 'BTCUSDT', by: 'ann', why: 'news', time: 1_000 };
const DONE: OperatorResult = { ok: true, did: [], orders: [], flattens: '' };
let folder: string;
let requests: HaltRequests;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'requests-'));
  requests = new HaltRequests(join(folder, 'bot'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Rig {
  readonly asked: AskedHalts;
  readonly did: OperatorCommand[];
  readonly soon: (() => void)[];
}

function rig(answer: (command: OperatorCommand) => OperatorResult = () => DONE, now = 1_000, durable = Promise.resolve(true)): Rig {
  const did: OperatorCommand[] = [];
  const soon: (() => void)[] = [];
  const operate = async (command: OperatorCommand): Promise<OperatorResult> => {
    did.push(command);
    return answer(command);
  };
  const asked = new AskedHalts({
    requests,
    operate,
    durable: () => durable,
    epoch: () => 1,
    fenced: () => undefined,
    soon: (work) => void soon.push(work),
    now: () => now,
    log: SILENT_LOG,
  });
  return { asked, did, soon };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a request is there until it is removed, and the folder goes with the last', () => {
  expect(requests.isEmpty).toBe(true);
  requests.add(REQUEST);
  requests.add({ ...REQUEST, id: 'b', name: 'kill', scope: '', time: 900 });
  expect([requests.isEmpty, requests.read().map(({ id }) => id)]).toEqual([false, ['b', 'a']]);
  requests.remove('b');
  expect([requests.isEmpty, requests.has('a'), requests.has('b')]).toEqual([false, true, false]);
  requests.remove('a');
  expect([requests.isEmpty, existsSync(requests.path)]).toEqual([true, false]);
});

test('a file that cannot be read is a halt of the whole bot', () => {
  mkdirSync(requests.path);
  writeFileSync(join(requests.path, 'x.json'), '{"name":');
  expect(requests.read()).toMatchObject([{ id: 'x', name: 'halt', scope: '', why: expect.stringContaining('cannot be read') }]);
});

test('no opening order leaves while a request waits; cancels and closes do', async () => {
  const { asked, did, soon } = rig();
  expect(asked.vetoOf({ kind: PLACE, effect: OPEN })).toBeNull();
  requests.add(REQUEST);
  expect(asked.vetoOf({ kind: PLACE, effect: OPEN })).toBe('halted');
  expect([asked.vetoOf({ kind: PLACE, effect: CLOSE }), asked.vetoOf({ kind: CANCEL, effect: OPEN })]).toEqual([null, null]);
  expect([did, soon.length]).toEqual([[], 1]);
  soon[0]!();
  expect(await asked.answerTo('a')).toBe(DONE);
  await settled();
  expect(did).toEqual([{ name: 'halt', scope: 'BTCUSDT', by: 'ann', why: 'news' }]);
  expect([requests.isEmpty, asked.vetoOf({ kind: PLACE, effect: OPEN })]).toEqual([true, null]);
});

test('a request stays until the halt is durable, and is carried out once', async () => {
  let settle: (isDurable: boolean) => void = () => undefined;
  const { asked, did } = rig(() => DONE, 1_000, new Promise((resolve) => (settle = resolve)));
  requests.add(REQUEST);
  asked.look();
  asked.look();
  await settled();
  expect([did.length, requests.has('a')]).toEqual([1, true]);
  settle(true);
  await settled();
  expect(requests.has('a')).toBe(false);
});

test('an unknown scope is refused while its caller waits, and halts the whole bot once nobody does', async () => {
  const unknown: OperatorResult = { ok: false, code: 'no-such-scope', message: '', hint: '' };
  const answer = (command: OperatorCommand): OperatorResult => ('scope' in command && command.scope !== '' ? unknown : DONE);
  const early = rig(answer);
  requests.add(REQUEST);
  early.asked.look();
  expect(await early.asked.answerTo('a')).toBe(unknown);
  expect(requests.isEmpty).toBe(true);
  const late = rig(answer, 60_000);
  requests.add(REQUEST);
  late.asked.look();
  expect(await late.asked.answerTo('a')).toBe(DONE);
  expect(late.did.at(-1)).toMatchObject({ name: 'halt', scope: '', why: 'news; asked for "BTCUSDT"' });
});

test('a bot that is stopping leaves the request to the next start', async () => {
  const { asked } = rig(() => ({ ok: false, code: 'refused', message: 'the bot is stopping', hint: '' }));
  requests.add(REQUEST);
  asked.look();
  await settled();
  expect(requests.has('a')).toBe(true);
});

test('a folder that a bot removes meanwhile is made again', () => {
  mkdirSync(requests.path);
  rmdirSync(requests.path);
  requests.add(REQUEST);
  requests.tidy();
  expect(requests.has('a')).toBe(true);
});

test('files that are no requests hold opens back, and the status says why', async () => {
  const { asked } = rig();
  mkdirSync(requests.path);
  writeFileSync(join(requests.path, 'notes.txt'), '');
  asked.look();
  expect([asked.vetoOf({ kind: PLACE, effect: OPEN }), asked.onHold]).toEqual([
    'halted',
    expect.stringMatching(/no requests: remove it; opens wait/),
  ]);
  rmSync(requests.path, { recursive: true });
  expect([asked.vetoOf({ kind: PLACE, effect: OPEN }), asked.onHold]).toEqual([null, '']);
});

test('a request that is not in the journal yet is named', () => {
  const { asked } = rig(() => DONE, 1_000, new Promise(() => undefined));
  requests.add(REQUEST);
  asked.look();
  expect(asked.onHold).toMatch(/^a halt that was asked for is not in the journal yet; opens wait while .*bot.halt-requests is there$/);
});

test('the folder is the same under each of its names, also after it was deleted', () => {
  mkdirSync(join(folder, 'bot'));
  symlinkSync('bot', join(folder, 'link'));
  symlinkSync(folder, join(folder, 'above'));
  const paths = (): string[] => ['bot', 'link', 'link/', './above/bot'].map((name) => new HaltRequests(`${folder}/${name}`).path);
  expect(new Set(paths())).toEqual(new Set([requests.path]));
  rmSync(join(folder, 'bot'), { recursive: true });
  expect(new Set(paths())).toEqual(new Set([requests.path]));
});

test.skipIf(process.getuid?.() !== 0)('what root asks for belongs to the owner of the state folder', () => {
  mkdirSync(join(folder, 'bot'));
  chownSync(join(folder, 'bot'), 12_345, 54_321);
  requests.add(REQUEST);
  for (const path of [requests.path, join(requests.path, 'a.json')]) expect(statSync(path)).toMatchObject({ uid: 12_345, gid: 54_321 });
});

describe.skipIf(!hasSmallDisk('halts on a full disk'))('on a full disk', () => {
  test('a halt, and a kill after it, are recorded in the room that was kept', () => {
    const disk = smallDisk(200);
    try {
      const here = join(disk.folder, 'bot');
      new HaltMarker(here).reserve();
      const full = new HaltRequests(here);
      for (const id of ['a', 'b', 'c', 'd']) {
        disk.fill();
        full.add({ ...REQUEST, id });
      }
      expect(full.read().map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
      disk.fill();
      expect(() => full.add({ ...REQUEST, id: 'e' })).toThrow(/was not recorded: .*e\.json cannot be written/);
      expect(full.has('d')).toBe(true);
      expect(disk.files().filter((name) => /\.new$|requests\.[a-e]$/.test(name))).toEqual([]);
    } finally {
      disk.remove();
    }
  });
});

test('a look costs at most 5 microseconds', () => {
  const { asked } = rig();
  // Short enough that a busy machine lets one of them run without a break.
  const looks = 500;
  const best = Math.min(
    ...Array.from({ length: 400 }, () => {
      const from = performance.now();
      for (let k = 0; k < looks; k++) asked.vetoOf({ kind: PLACE, effect: OPEN });
      return ((performance.now() - from) * 1_000) / looks;
    }),
  );
  expect(best).toBeLessThan(5);
});

test.each([
  ['of a later process', { epoch: 0 }, 'refused'],
  ['of this bot', {}, 'refused'],
  ['of a later process', { epoch: 0 }, 'throws'],
  ['of this bot', {}, 'throws'],
])('a request %s %j stays, and is taken again, until its opens could be cancelled: %s', async (_what, given, how) => {
  let left = 1;
  const { asked, did } = rig(({ name }) => {
    if (name !== 'cancel-opens' || left-- <= 0) return DONE;
    if (how === 'throws') throw new Error('broken');
    return { ok: false, code: 'refused', message: 'the bot is stopping', hint: '' };
  });
  requests.add({ ...REQUEST, ...given, scope: '', cancelsOpens: true });
  asked.look();
  await settled();
  expect([requests.isEmpty, asked.vetoOf({ kind: PLACE, effect: OPEN })]).toEqual([false, 'halted']);
  asked.look();
  await settled();
  expect([requests.isEmpty, asked.vetoOf({ kind: PLACE, effect: OPEN })]).toEqual([true, null]);
  expect(did.filter(({ name }) => name === 'cancel-opens')).toHaveLength(2);
});
