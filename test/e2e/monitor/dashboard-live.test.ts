/**
 * The dashboard on the monitor of a real bot: opened by the file of `tickwright open`, with what the bot did in sight; STOP; the bot killed under
 * the page, and back again.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { hasChromium, openTab, type Tab } from '../../support/processes/browser.ts';
import { tokenOf } from '../../support/monitor/monitor-client.ts';
import { addressOf, cleanUp } from '../process.ts';
import { Scene } from '../scene.ts';

const ALWAYS = { TICKWRIGHT_MONITOR_ENABLED: 'always' };
const shows = (text: string): string => `document.body.innerText.includes(${JSON.stringify(text)})`;
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
    await tab.ask(`location.hash = '#live'`);
    await tab.ask(`document.getElementById('stop').click()`);
    await tab.until(shows('Opens are halted'));
    await tab.until(shows('Answered after'));
    await bot.untilLogged('opens-halted');
    await pictured('stop');
    await tab.ask(`document.querySelector('#stop-menu .quiet').click()`);
    await bot.kill('SIGKILL');
    await tab.until(shows('The bot gives no answer'));
    await tab.until(`document.querySelector('.grey') !== null`);
    await pictured('killed');
    const again = scene.run(at, [], ALWAYS);
    await again.untilLogged('ready');
    await tab.until(`document.querySelector('.grey') === null`);
    expect(await tab.ask(shows('The whole bot halted'))).toBe(true);
    expect([...tab.requested].filter((origin) => origin !== 'null' && origin !== 'file://')).toEqual([url]);
    expect(tab.complaints).toEqual([]);
    await again.kill('SIGTERM');
  },
);
