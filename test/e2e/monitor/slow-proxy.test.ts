/**
 * The dashboard of a bot that trades all the time, behind a proxy that delays, holds and cuts the stream of changes: the page says what is old, goes
 * on where it was, and has in the end all that another reader of the stream has.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { SlowProxy } from '../../support/monitor/slow-proxy.ts';
import { tokenOf, WebUser } from '../../support/monitor/monitor-client.ts';
import { hasChromium, openTab, type Tab } from '../../support/processes/browser.ts';
import { addressOf, cleanUp } from '../process.ts';
import { Scene } from '../scene.ts';

const shows = (text: string): string => `document.body.innerText.includes(${JSON.stringify(text)})`;
const IS_GREY = `document.querySelector('.grey') !== null`;
const IS_CURRENT = `document.querySelector('.page') !== null && !(${IS_GREY})`;
/** The page's own model: its scripts are modules, of which there is one each. */
const MODEL = `import('/app/monitor/page/parts/model.js').then(({ model }) => model)`;
/** How the page may order rows that came at one time is its own matter. */
const byText = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();
let tab: Tab | null = null;
let proxy: SlowProxy | null = null;

afterEach(async () => {
  await tab?.close();
  await proxy?.close();
  [tab, proxy] = [null, null];
  await cleanUp();
});

it('loses nothing behind a proxy that is slow, holds and cuts', { skip: !hasChromium('the dashboard behind a proxy') }, async () => {
  const scene = new Scene(71);
  const bot = scene.run(await addressOf(scene.exchange()), [], { TICKWRIGHT_MONITOR_ENABLED: 'always' });
  await bot.untilLogged('ready');
  await bot.untilLogged('dashboard');
  const { file, url } = await tokenOf(scene.botFolder);
  proxy = await SlowProxy.open(url);
  const behind = join(scene.folder, 'behind.html');
  writeFileSync(behind, readFileSync(file, 'utf8').replaceAll(url, proxy.url));
  const user = await WebUser.open(scene.botFolder);
  const { changes, close } = user.follow();
  tab = await openTab();
  await tab.open(pathToFileURL(behind).href, { width: 1280, height: 844, scheme: 'dark' });
  await tab.until(`document.querySelector('#story .fill') !== null`);
  await tab.until(IS_CURRENT);
  expect(String(await tab.ask('location.href')).startsWith(proxy.url)).toBe(true);

  // A little late is not old; later than two statuses is, though something comes all the time.
  proxy.delayMs = 300;
  await tab.ask(`new Promise((resolve) => setTimeout(resolve, 2_000))`);
  await tab.until(IS_CURRENT);
  proxy.delayMs = 8_000;
  await tab.until(shows('The monitor sends nothing.'));
  await tab.until(shows('The bot gives no new status.'));
  const isAlwaysGrey = `(async () => {
    for (const end = Date.now() + 6_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50)))
      if (!(${IS_GREY})) return false;
    return true;
  })()`;
  expect(await tab.ask(isAlwaysGrey)).toBe(true);
  proxy.delayMs = 0;
  await tab.until(IS_CURRENT);
  expect(proxy.opened).toEqual(['/api/stream']);

  // Held until the page has given up the stream and asked for it again, which is held too.
  proxy.hold();
  await tab.until(shows('The monitor sends nothing.'));
  await eventually(async () => expect(proxy!.opened.length).toBeGreaterThan(1));
  await tab.until(IS_GREY);
  proxy.release();
  await tab.until(IS_CURRENT);

  for (let k = 0; k < 3; k++) {
    const before = proxy.opened.length;
    proxy.cut();
    await eventually(async () => expect(proxy!.opened.length).toBeGreaterThan(before));
    await tab.until(IS_CURRENT);
  }
  expect(
    proxy.opened.slice(1).every((path) => /^\/api\/stream\?after=[^&]+$/.test(path)),
    proxy.opened.join(' '),
  ).toBe(true);
  expect(proxy.resets).toBe(1);

  await scene.calmDown(bot);
  const told = (kind: 'fill' | 'order' | 'log'): unknown[] => changes.flatMap((one) => (one.kind === kind ? [(one as never)[kind]] : []));
  const sinceFirst = `${MODEL}.then(({ fills }) => fills)`;
  await eventually(async () => {
    const fills = (await tab!.ask(sinceFirst)) as { id: number }[];
    const expected = told('fill') as { id: number }[];
    expect(expected.length).toBeGreaterThan(20);
    const first = Math.min(...expected.map(({ id }) => id));
    expect(byText(fills.filter(({ id }) => id >= first))).toEqual(byText(expected));
  });
  const { body: now } = await user.call('GET', '/api/now');
  const live = (rows: readonly { state: string }[]): string[] => byText(rows.filter(({ state }) => state === 'working'));
  await eventually(async () => {
    const orders = (await tab!.ask(`${MODEL}.then(({ orders }) => [...orders.values()])`)) as { state: string }[];
    expect(live(orders)).toEqual(live(now.orders));
  });
  close();
  await bot.kill('SIGTERM');
});
