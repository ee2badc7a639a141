/**
 * The dashboard on the monitor of a real bot: opened by the file of `tickwright open`, with what the bot did in sight; STOP; the bot killed under
 * the page, and back again.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { PASSPHRASE_FILE, passphraseFile } from '../../../src/edge/web/passphrase.ts';
import { shows } from '../../support/monitor/opened-dashboard.ts';
import { hasChromium, openTab, type Tab } from '../../support/processes/browser.ts';
import { tokenOf } from '../../support/monitor/monitor-client.ts';
import { addressOf, cleanUp } from '../process.ts';
import { Scene } from '../scene.ts';

const ALWAYS = { TICKWRIGHT_MONITOR_ENABLED: 'always' };
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
  writeFileSync(join(folder, `live-${name}.png`), await tab!.picture());
}

/** Sets the first parameter of the strategy, to the value that it has, by a button that is held and the passphrase. */
async function setsParameter(page: Tab, folder: string): Promise<void> {
  writeFileSync(join(folder, PASSPHRASE_FILE), passphraseFile('of the test'));
  await page.ask(`location.hash = '#strategies'`);
  await page.until(`document.querySelector('.change') !== null`);
  await page.ask(`document.querySelector('.change').open = true`);
  await page.until(`document.querySelector('.change select') !== null`);
  const param = String(await page.ask(`document.querySelector('.change select').value`));
  const value = String(await page.ask(`document.querySelector('.params').innerText.match(/^${param} = (\\S+)/m)[1]`));
  await page.ask(`document.querySelector('.change input').focus()`);
  for (const key of value) await page.press(key);
  await page.until(`document.querySelector('.change .hold') !== null`);
  await page.ask(`document.querySelector('.change .hold').dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }))`);
  await page.until(`document.querySelector('#passphrase input') === document.activeElement`);
  for (const key of 'of the test') await page.press(key);
  await page.press('Enter');
  await page.until(`/: (?!sent|not applied, waits)/.test(document.querySelector('.change p[aria-live]').innerText)`);
  expect(await page.ask(`document.querySelector('.change p[aria-live]').innerText`)).toContain(
    `${param} is ${value}; the strategy was created again`,
  );
  await page.until(shows(`${param} is ${value} now; the configuration says ${value}.`));
  await pictured('set');
}

it(
  'shows a real bot, stops it, says that it was killed, and hears it again',
  { skip: !hasChromium('the dashboard of a bot') },
  async () => {
    const scene = new Scene(61);
    const at = await addressOf(scene.exchange());
    const bot = scene.run(at, [], ALWAYS);
    await bot.untilLogged('ready');
    await bot.untilLogged('dashboard');
    const { file, url } = await tokenOf(scene.botFolder);
    tab = await openTab();
    await tab.open(pathToFileURL(file).href, { width: 390, height: 844, scheme: 'dark' });
    await tab.until(shows('LOCAL VENUE'));
    expect(String(await tab.ask('location.href')).startsWith(url)).toBe(true);
    // The token is used up and out of the page.
    expect(await tab.ask(`document.querySelector('meta[name=token]')`)).toBe(null);
    await tab.until(`document.querySelector('#story .fill') !== null`);
    await tab.until(`document.querySelector('#chart canvas') !== null`);
    expect(await tab.violations()).toEqual([]);
    await pictured('trading');
    for (const page of ['strategies', 'orders', 'fills', 'performance', 'log', 'levels']) {
      await tab.ask(`location.hash = '#${page === 'levels' ? 'limits' : page}'`);
      await tab.until(
        `document.querySelector('#${page === 'performance' || page === 'strategies' ? 'page' : page} table tbody tr') !== null`,
      );
      await pictured(page);
    }
    await setsParameter(tab, scene.botFolder);
    await tab.ask(`location.hash = '#live'`);
    await tab.ask(`document.getElementById('stop').click()`);
    await tab.until(shows('New opens are stopped'));
    await tab.until(shows('Answered after'));
    expect(await tab.ask(`document.querySelector('#stop-menu .done').innerText`)).toMatch(
      /^Stopped at ..:..:.. UTC; in effect after \d+ ms\.\s+To undo it: Resume, below\./,
    );
    await bot.untilLogged('opens-halted');
    await pictured('stop');
    await tab.ask(`document.querySelector('#stop-menu .quiet').click()`);
    await bot.kill('SIGKILL');
    await tab.until(shows('The bot gives no answer'));
    await tab.until(`document.querySelector('.grey') !== null`);
    await tab.until(shows('What remains at the venue'));
    expect(await tab.ask(shows('Old values, of '))).toBe(true);
    await pictured('killed');
    const again = scene.run(at, [], ALWAYS);
    await again.untilLogged('ready');
    await tab.until(`document.querySelector('.grey') === null`);
    expect(await tab.ask(shows('The whole bot halted'))).toBe(true);
    expect([...tab.requested].filter((origin) => origin !== 'null' && origin !== 'file://')).toEqual([url]);
    // The refusal that asks for the passphrase.
    expect(tab.complaints).toEqual([expect.stringContaining('403')]);
    await again.kill('SIGTERM');
  },
);
