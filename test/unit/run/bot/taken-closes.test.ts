/** How a bot that lives again takes over the closes of its watchdog: until its journal has them, it closes nothing itself. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CANCEL, CLOSE, LONG, OPEN, PLACE } from '../../../../src/domain/codes.ts';
import { HaltRequests } from '../../../../src/edge/file/beside/halt-requests.ts';
import { WatchdogCloses } from '../../../../src/edge/file/beside/watchdog-closes.ts';
import type { OperatorCommand, OperatorResult } from '../../../../src/engine/operator/command.ts';
import { SILENT_LOG } from '../../../../src/ports/log.ts';
import { AskedHalts } from '../../../../src/run/bot/store/asked-halts.ts';
import { TakenCloses } from '../../../../src/run/bot/store/taken-closes.ts';

const DONE: OperatorResult = { ok: true, did: [], orders: [], flattens: '' };
const close = (clientId: string) => ({ clientId, symbol: 'BTCUSDT', side: LONG, size: 20, time: 5 });

let folder = '';
let file: WatchdogCloses;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'taken-')), 'bot');
  file = new WatchdogCloses(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

interface Rig {
  readonly asked: AskedHalts;
  readonly did: OperatorCommand[];
  readonly soon: (() => void)[];
}

function rig(answer: () => OperatorResult = () => DONE, durable = Promise.resolve(true), did = ''): Rig {
  const operated: OperatorCommand[] = [];
  const soon: (() => void)[] = [];
  const deps = {
    operate: async (command: OperatorCommand): Promise<OperatorResult> => {
      operated.push(command);
      return answer();
    },
    durable: () => durable,
    log: SILENT_LOG,
  };
  const asked = new AskedHalts({
    ...deps,
    requests: new HaltRequests(folder),
    didAbout: (request) => (request === 'w' ? did : ''),
    closes: new TakenCloses({ ...deps, file }),
    epoch: () => 7,
    fenced: () => undefined,
    soon: (work) => void soon.push(work),
    now: () => 0,
  });
  return { asked, did: operated, soon };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const vetoes = ({ asked }: Rig): unknown[] => [
  asked.vetoOf({ kind: PLACE, effect: CLOSE }),
  asked.vetoOf({ kind: PLACE, effect: OPEN }),
  asked.vetoOf({ kind: CANCEL, effect: CLOSE }),
];

it('no close leaves before the closes of the watchdog are in the journal; cancels do', async () => {
  let settle: (isDurable: boolean) => void = () => undefined;
  const r = rig(() => DONE, new Promise((resolve) => (settle = resolve)));
  expect(vetoes(r)).toEqual([null, null, null]);
  file.begin({ epoch: 7, time: 1, legs: [], used: [] });
  for (const id of ['a', 'b', 'c', 'd']) file.close(close(id));
  file.became('b', 'refused');
  file.became('c', 'unsent');
  file.became('d', 'ended');
  expect([vetoes(r), r.soon.length, r.did]).toEqual([['watchdog-closes', null, null], 1, []]);
  r.soon[0]!();
  // What never landed is no order.
  expect(r.did).toEqual([{ name: 'import-closes', closes: [close('a'), close('d')], by: 'watchdog', why: 'the bot lives again' }]);
  // The watchdog closes nothing more from here on, and neither does the bot.
  expect([file.isThere, vetoes(r)[0]]).toEqual([false, 'watchdog-closes']);
  expect(r.asked.onHold).toContain('the watchdog was closing positions');
  settle(true);
  await settled();
  await settled();
  expect([vetoes(r)[0], r.asked.onHold, file.isHeld]).toEqual([null, '', false]);
  expect(file.readAll().closes).toHaveLength(4);
});

it('a kill -9 before the journal has them leaves them to the next start, and a bot that starts takes them later', async () => {
  file.begin({ epoch: 7, time: 1, legs: [], used: [] });
  file.close(close('a'));
  const killed = rig(() => DONE, Promise.resolve(false));
  killed.asked.look();
  await settled();
  expect([file.isThere, file.isHeld]).toEqual([false, true]);
  const starting = rig(() => ({ ok: false, code: 'refused', message: 'the bot is starting', hint: '' }));
  starting.asked.look();
  await settled();
  expect([file.isHeld, starting.asked.onHold]).toEqual([true, expect.stringContaining('the bot is starting')]);
  const next = rig();
  next.asked.look();
  await settled();
  await settled();
  expect([next.did.length, file.isHeld]).toEqual([1, false]);
});

it('the halt of a bot that wakes up says all that its watchdog did', async () => {
  const woken = rig(() => DONE, Promise.resolve(true), 'cancelled 1 opening order: …; closed BTCUSDT LONG 0.020 at 60000.1');
  const requests = new HaltRequests(folder);
  requests.add({ id: 'w', name: 'halt', scope: '', by: 'watchdog', why: 'no sign of life for 30 s', time: 1 });
  requests.add({ id: 'p', name: 'halt', scope: '', by: 'a person', why: 'lunch', time: 2 });
  woken.asked.look();
  await settled();
  expect(woken.did.map((command) => 'why' in command && command.why)).toEqual([
    'no sign of life for 30 s; the watchdog cancelled 1 opening order: …; closed BTCUSDT LONG 0.020 at 60000.1',
    'lunch',
  ]);
});

it('a line that was cut off takes no other with it, and nothing has left by it', () => {
  file.begin({ epoch: 7, time: 1, legs: [], used: [] });
  file.close(close('a'));
  appendFileSync(file.path, '{"close":{"clientId":"b","symbol":"BTC');
  file.became('a', 'accepted');
  expect(file.read().closes).toEqual([{ ...close('a'), fate: 'accepted' }]);
});
