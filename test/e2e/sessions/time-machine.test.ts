/**
 * The page of a recorded session: the time is dragged, what happened is stepped through, and the session is forked, with the truth beside it.
 * The session is that of a real bot, and ends with SIGKILL.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { sessionsIn } from '../../../src/edge/file/session-file.ts';
import { shows } from '../../support/monitor/opened-dashboard.ts';
import { hasChromium, openTab, type Tab } from '../../support/processes/browser.ts';
import { tokenOf } from '../../support/monitor/monitor-client.ts';
import { cancelledOrders } from '../../support/sessions/cancelled-orders.ts';
import { addressOf, cleanUp, launch } from '../process.ts';
import { Scene } from '../scene.ts';

const pressed = (text: string): string =>
  `[...document.querySelectorAll('button')].find((one) => one.innerText.includes(${JSON.stringify(text)})).click()`;
/** A function of the page that chooses in a list, as a person does. */
const choosing = `(where, value) => { const list = document.querySelector(where); list.value = value;
  list.dispatchEvent(new Event('change', { bubbles: true })); }`;
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
  writeFileSync(join(folder, `past-${name}.png`), await tab!.picture());
}

it('shows any moment of a session that was killed, and forks of it', { skip: !hasChromium('the page of a recorded session') }, async () => {
  const scene = new Scene(62);
  const at = await addressOf(scene.exchange());
  const bot = scene.run(at, []);
  await bot.untilLogged('ready');
  await bot.untilLogged('fill', 60);
  await bot.kill('SIGKILL');
  const shown = launch(['monitor', '--session', join(scene.botFolder, 'sessions'), '--print'], { CALM_FILE: scene.calmFile });
  await shown.until('the file of the page', () => shown.out.includes('.html\n'));
  tab = await openTab();
  await tab.open(pathToFileURL(shown.out.trim()).href, { width: 1280, height: 900, scheme: 'light' });
  await tab.until(shows('RECORDING'));
  await tab.until(`document.querySelector('#story .fill') !== null && document.querySelector('.past input[type=range]') !== null`);
  expect(await tab.ask(`document.getElementById('stop')`)).toBe(null);
  expect(await tab.ask(shows('The replay differs'))).toBe(false);
  expect(await tab.ask(shows('The recording has no clean end: the bot was killed, or it still runs.'))).toBe(true);
  // A step that leads nowhere says why.
  expect(await tab.ask(shows('no halt or fault after this'))).toBe(true);
  await pictured('end');

  // The slider goes back to the beginning: nothing had happened then.
  await tab.ask(`(() => { const slider = document.querySelector('.past input[type=range]'); slider.value = slider.min;
    slider.dispatchEvent(new Event('input', { bubbles: true })); })()`);
  await tab.until(`document.querySelector('#story .fill') === null`);
  // Each step goes to the next order or fill.
  for (let k = 0; k < 30; k++) await tab.ask(pressed('order ▶'));
  await tab.until(`document.querySelector('#story .fill') !== null`);
  await pictured('moment');
  // While a moment loads, everything below is of the moment before, and grey: never of two moments.
  const before = await tab.ask(`document.querySelector('.past .time b').innerText`);
  await tab.ask(`(() => { const real = fetch; window.held = []; window.release = () => { window.fetch = real; held.forEach((go) => go()); };
    window.fetch = (...given) => String(given[0]).startsWith('/api/now')
      ? new Promise((go) => held.push(go)).then(() => real(...given)) : real(...given); })()`);
  await tab.ask(pressed('order ▶'));
  await tab.until(`document.querySelector('.past').getAttribute('aria-busy') === 'true'`);
  const aimed = String(await tab.ask(`document.querySelector('.past .time b').innerText`));
  const still = aimed === before ? 'another moment of that second' : String(before);
  await tab.until(shows(`◌ Loading ${aimed}. What is below is still of ${still}.`));
  expect(await tab.ask(`getComputedStyle(document.querySelector('main')).filter`)).toBe('grayscale(1)');
  expect(await tab.ask(`[...document.querySelectorAll('#story time')].every(({ innerText: time }) => time <= '${String(before)}')`)).toBe(
    true,
  );
  await pictured('loading');
  await tab.ask('release()');
  await tab.until(`document.querySelector('.past').getAttribute('aria-busy') === 'false'`);
  expect(await tab.ask(`getComputedStyle(document.querySelector('main')).filter`)).toBe('none');
  // An answer that is cut is none: the moment before stays, and the page says why.
  const stands = await tab.ask(`document.querySelector('.past .time b').innerText`);
  await tab.ask(`(() => { const real = fetch; window.fetch = async (...given) => {
    const answer = await real(...given);
    if (!String(given[0]).startsWith('/api/now')) return answer;
    window.fetch = real;
    return new Response(new ReadableStream({ start: (body) => body.error(new Error('cut')) }), answer);
  }; })()`);
  await tab.ask(pressed('order ▶'));
  await tab.until(shows('The answer of the monitor was cut.'));
  expect(await tab.ask(`document.querySelector('.past .time b').innerText`)).toBe(stands);
  await tab.ask(pressed('order ▶'));
  await tab.until(`document.querySelector('.past [role=alert]') === null`);
  await tab.ask(pressed('Why is it not trading?'));
  await tab.until(shows('All checks'));
  await tab.ask(pressed('Close'));

  await tab.ask(pressed('Fork'));
  await tab.until(shows('Fork: opens halted'));
  await tab.until(shows('First other command'));
  // Orders in words and units, and no number of the wire.
  const first = String(await tab.ask(`document.getElementById('fork').innerText`)).replaceAll('\u202f', ' ');
  expect(first).toMatch(
    /First other command\. Recorded: (?:open|close) \w+ (?:LONG|SHORT) [\d.]+, (?:limit [\d ]+\.\d+|at the market).*\(order \d+\)\. Fork: /,
  );
  expect(first).not.toMatch(/\b(?:side|effect|type|force) \d/);
  // The halt exists only here: no command that a person could type at the bot that runs.
  await tab.until(shows('nothing: it exists only in this fork'));
  expect(await tab.ask(`document.getElementById('health').innerText`)).toMatch(/Venue\s+simulated since \d\d:\d\d:\d\d/);
  await tab.until(`document.querySelector('#fork table tbody tr') !== null`);
  await pictured('fork');
  expect(await tab.violations()).toEqual([]);

  // Another size of each order, and an order that had not landed: each beside the session at the same time.
  const saidIn = `document.querySelector('form.fork [aria-live]').innerText`;
  const forks = async (how: string, choose: string, title: (chosen: string) => string, says: RegExp): Promise<void> => {
    await tab!.ask(`(${choosing})('.steps select', '')`);
    await tab!.until(`document.querySelector('form.fork') !== null`);
    for (let k = 0; k < 60; k++) await tab!.ask(pressed('◀ order'));
    await tab!.ask(`(${choosing})('form.fork select', '${how}')`);
    await tab!.until(`document.querySelector('form.fork select[name=param], form.fork input[name=order]') !== null`);
    const chosen = String(await tab!.ask(choose));
    await tab!.ask(pressed('Fork'));
    // A fork that is refused says so in its form.
    await tab!.until(`document.getElementById('fork-title') !== null || !['', 'The fork is computed.'].includes(${saidIn})`);
    expect(await tab!.ask(`document.getElementById('fork-title')?.innerText ?? ${saidIn}`)).toBe(`Fork: ${title(chosen)}`);
    await tab!.until(`${String(says)}.test(document.getElementById('fork').innerText)`);
    await pictured(`fork-${how}`);
  };
  const beside = `[...document.querySelectorAll('#fork tbody tr')].map((row) => [...row.cells].map(({ innerText }) => innerText))`;
  await forks(
    'set',
    `document.querySelector('form.fork input[name=value]').value = '0.02'`,
    (size) => `busy: size = ${size}`,
    /^First other command\. Recorded: ./m,
  );
  expect(await tab.ask(beside)).toHaveLength(5);
  // The session cancels this order later. Nothing can cancel an order that is not there: the fork has another command.
  const cancelled = cancelledOrders(sessionsIn(join(scene.botFolder, 'sessions'))[0]!).at(-1)!;
  await forks(
    'not-landed',
    `document.querySelector('form.fork input').value = document.querySelector('#fates option[value="${cancelled}"]').value`,
    () => `order ${cancelled} had not landed`,
    /^First other command\. Recorded: ./m,
  );
  expect(await tab.ask(beside)).toHaveLength(5);
  expect(await tab.violations()).toEqual([]);
  expect(tab.complaints).toEqual([]);
  // No view names a command that a person could type at the bot that runs.
  for (const view of ['strategies', 'orders', 'fills', 'limits', 'performance', 'log', 'live']) {
    await tab.ask(`location.hash = '#${view}'`);
    await tab.until(`document.querySelector('nav [aria-current]').hash === '#${view}' && document.querySelector('main section') !== null`);
    expect({ view, named: await tab.ask(`/.*tickwright [a-z].*/.exec(document.body.innerText)?.[0] ?? ''`) }).toEqual({ view, named: '' });
  }
});

it('goes back from a recording to the bot that runs', { skip: !hasChromium('the page of a recorded session') }, async () => {
  const scene = new Scene(63);
  const at = await addressOf(scene.exchange());
  const bot = scene.run(at, [], { TICKWRIGHT_MONITOR_ENABLED: 'always' });
  await bot.untilLogged('ready');
  await bot.untilLogged('dashboard');
  await bot.untilLogged('fill', 4);
  const { file } = await tokenOf(scene.botFolder);
  tab = await openTab();
  await tab.open(pathToFileURL(file).href, { width: 390, height: 844, scheme: 'light' });
  await tab.until(shows('LOCAL VENUE'));
  await tab.ask(`location.hash = '#sessions'`);
  await tab.until(`document.querySelector('#sessions tbody button') !== null`);
  await tab.ask(`document.querySelector('#sessions tbody button').click()`);
  await tab.until(`document.querySelector('.past') !== null`);
  expect(await tab.ask(`[document.getElementById('stop'), document.querySelector('.mode').innerText]`)).toEqual([null, 'RECORDING']);
  await tab.ask(pressed('Back to now'));
  await tab.until(`document.querySelector('.mode').innerText === 'LOCAL VENUE' && document.querySelector('.grey') === null`);
  expect(await tab.ask(`document.querySelector('.past')`)).toBe(null);
  // What the page shows is of the bot that runs: it goes on, and STOP reaches it.
  await tab.until(`document.querySelector('#story .fill') !== null`);
  await tab.ask(`document.getElementById('stop').click()`);
  await bot.untilLogged('opens-halted');
  await tab.until(shows('New opens are stopped'));
  expect(tab.complaints).toEqual([]);
});
