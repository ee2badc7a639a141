/**
 * A ready-made bot that a person starts from the dashboard's form, on a real bot: a wrong value is told beside its field, the right one runs,
 * survives kill -9, is in the recordings, and is removed again.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import type { ActAnswer, StatusAnswer } from '../../../src/control/answers.ts';
import type { ControlName } from '../../../src/control/commands.ts';
import { callControl } from '../../../src/edge/control/control-client.ts';
import { PASSPHRASE_FILE, passphraseFile } from '../../../src/edge/web/passphrase.ts';
import { tokenOf } from '../../support/monitor/monitor-client.ts';
import { hasChromium, openTab, type Tab } from '../../support/processes/browser.ts';
import { expectEqualReplays } from '../operator/equal-replays.ts';
import { cleanUp, runToEnd, STOPPED } from '../process.ts';
import { Stage } from '../stage.ts';

let tab: Tab | null = null;

afterEach(async () => {
  await tab?.close();
  tab = null;
  await cleanUp();
});

async function pictured(name: string): Promise<void> {
  const folder = process.env['TICKWRIGHT_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `add-${name}.png`), await tab!.picture());
}

async function call<T>(stage: Stage, name: ControlName, given: object = {}): Promise<T> {
  const called = await callControl(join(stage.folder, 'bot'), { method: name === 'status' ? 'GET' : 'POST', name, given: { ...given } });
  if (!called.isThere) throw new Error(`no bot: ${called.cause}`);
  return called.body as T;
}

const strategies = async (stage: Stage): Promise<string[]> =>
  (await call<StatusAnswer>(stage, 'status')).strategies.map(({ name }) => name);

/** Waits until the grid has orders: the other strategy has none. */
async function untilOrders(stage: Stage): Promise<void> {
  await expect.poll(async () => (await call<StatusAnswer>(stage, 'status')).orders, { timeout: 60_000 }).toBeGreaterThan(0);
}

async function typed(page: Tab, field: string, text: string): Promise<void> {
  await page.ask(`document.getElementById('add-${field}').focus(); document.getElementById('add-${field}').select()`);
  for (const key of text) await page.press(key);
}

it('a ready-made bot from the form of the dashboard', { skip: !hasChromium('the form of ready-made bots') }, async () => {
  const stage = new Stage({ env: { TICKWRIGHT_MONITOR_ENABLED: 'always' } });
  const bot = await stage.startBot();
  await bot.untilLogged('dashboard');
  const folder = join(stage.folder, 'bot');
  writeFileSync(join(folder, PASSPHRASE_FILE), passphraseFile('of the test'));
  tab = await openTab();
  await tab.open(pathToFileURL((await tokenOf(folder)).file).href, { width: 390, height: 844, scheme: 'dark' });
  await tab.until(`location.hash = '#strategies', document.querySelector('#add details') !== null`);
  await tab.ask(`document.querySelector('#add details').open = true`);
  await tab.until(`document.getElementById('add-range') !== null`);
  expect(String(await tab.ask(`document.getElementById('add').innerText`))).toContain('Loses when the price leaves the range');
  await pictured('form');
  expect(await tab.violations()).toEqual([]);

  // What is wrong is told beside its field, and about all of them together below.
  await typed(tab, 'symbols', ' ');
  await tab.ask(`document.getElementById('add-look').click()`);
  await tab.until(`document.getElementById('add-symbols-wrong') !== null`);
  expect(await tab.ask(`document.getElementById('add-symbols-wrong').innerText`)).toContain('expected at least one symbol such as BTCUSDT');
  await typed(tab, 'symbols', 'ETHUSD');
  await typed(tab, 'range', '-1');
  await tab.ask(`document.getElementById('add-look').click()`);
  await tab.until(`document.getElementById('add-range-wrong') !== null`);
  expect(await tab.ask(`document.getElementById('add-range-wrong').innerText`)).toContain(
    'a number from 0.001 to 90 was expected, found "-1"',
  );
  expect(await tab.ask(`document.getElementById('add-symbols-wrong').innerText`)).toContain('did you mean "ETHUSDT"?');
  await pictured('wrong');
  expect(await tab.violations()).toEqual([]);
  await typed(tab, 'symbols', 'ETHUSDT');
  await typed(tab, 'range', '3');
  await typed(tab, 'value', '500');
  await tab.ask(`document.getElementById('add-look').click()`);
  await tab.until(`document.getElementById('add-said').innerText.includes('10 steps of 500 are worth 5000, more than max 1000')`);
  await typed(tab, 'value', '100');
  await tab.ask(`document.getElementById('add-look').click()`);
  await tab.until(`document.getElementById('add-effects') !== null`);
  expect(await tab.ask(`document.getElementById('add-effects').innerText`)).toMatch(/requests a minute: \d+ now, \d+ with it/);
  expect(await strategies(stage)).toEqual(['holder']);

  await tab.ask(`document.querySelector('#add-effects .hold').dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }))`);
  await tab.until(`document.querySelector('#passphrase input') === document.activeElement`);
  for (const key of 'of the test') await tab.press(key);
  await tab.press('Enter');
  await tab.until(`document.getElementById('strategy-grid') !== null && document.querySelector('.grey') === null`);
  await pictured('runs');
  expect(await strategies(stage)).toEqual(['holder', 'grid']);
  await untilOrders(stage);

  // The journal has it.
  await bot.kill('SIGKILL');
  const again = await stage.startBot();
  expect(await strategies(stage)).toEqual(['holder', 'grid']);
  expect(await call(stage, 'remove-strategy', { strategy: 'holder' })).toMatchObject({ hint: expect.stringContaining('configuration') });
  const at = ['--state', folder];
  await untilOrders(stage);
  const resting = await runToEnd(['remove-strategy', 'grid', ...at]);
  expect([resting.code, resting.err]).toEqual([5, expect.stringContaining('tickwright halt grid; tickwright flatten grid')]);
  await runToEnd(['halt', 'grid', ...at]);
  const flat = await runToEnd(['flatten', 'grid', ...at]);
  expect(flat.code, flat.out + flat.err).toBe(0);
  await expect
    .poll(() => call<ActAnswer>(stage, 'remove-strategy', { strategy: 'grid' }), { timeout: 60_000 })
    .toMatchObject({ ok: true, did: [expect.stringContaining('grid is removed')] });
  await again.until('the bot was opened again', () => again.logged('armed').length === 2);
  expect(await strategies(stage)).toEqual(['holder']);
  await again.kill('SIGTERM');
  expect(STOPPED).toContain(again.code);
  await expectEqualReplays(folder);
});
