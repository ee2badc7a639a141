/**
 * The page of a hub in a real browser: the real hub over twenty bots that are played, with every state that the page must show. With
 * TICKWRIGHT_PICTURES=FOLDER it leaves pictures there.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HubAnswer } from '../../../src/control/hub.ts';
import { startControl, type ControlReply, type RunningControl } from '../../../src/edge/control/control-server.ts';
import { takePresence, type Presence } from '../../../src/edge/file/beside/presence.ts';
import { NO_STATUS } from '../../../src/run/bot/answers/views.ts';
import { runHub, type OpenedHub } from '../../../src/run/hub/hub.ts';
import { MemoryLog } from '../../support/engine/engine-kit.ts';
import { callWeb, WebUser } from '../../support/monitor/monitor-client.ts';
import { hasChromium, openTab, type Tab, type View } from '../../support/processes/browser.ts';

const HOSTILE = '<img src=x onerror="document.title=1">';
const VIEWS: readonly View[] = [390, 1280, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, height: 900, scheme })),
);
const BOTS = 20;
const [SILENT, OLDER, STRANGE, UNREAD] = [4, 5, 6, 9];

let home: string;
const running: RunningControl[] = [];
const present: Presence[] = [];
const stop = new AbortController();
const log = new MemoryLog();
let ended: Promise<boolean>;

function statusOf(k: number): object {
  const now = Date.now();
  const halt = { scope: 'bot', code: 'operator', detail: HOSTILE, since: now - 60_000, by: 'somebody', ends: 'tickwright resume' };
  const leg = { symbol: 'BTCUSDT', side: 'LONG', size: '0.1', unrealised: '-3.10', worstLoss: k === 3 ? '' : '120.00' };
  const { accountId, ...account } = {
    account: k < 10 ? 'paper' : 'live',
    accountId: `${k < 2 ? 0 : k}`.padEnd(16, '-of-an-account'),
    marginCoin: 'USDT',
  };
  return {
    ...NO_STATUS,
    ...account,
    ...(k === OLDER ? {} : { accountId }),
    bot: k === 7 ? HOSTILE : `bot-${k}`,
    phase: 'armed',
    time: now,
    equity: k === UNREAD ? '' : '10000.50',
    readAt: { equity: now - 2_000, orders: now, positions: now, prices: now },
    today: { day: '2026-11-29', profit: '0', fees: '0', funding: '0', net: k % 2 === 0 ? '12.50' : '-4.00', equity: '', equitySince: 0 },
    venue: 'http://127.0.0.1:1',
    positions: [leg],
    halts: k === 2 ? [halt] : k === 8 ? [{ ...halt, scope: 'symbol:BTCUSDT', detail: 'news' }] : [],
  };
}

async function play(k: number): Promise<void> {
  const folder = join(home, `bot-${k}`);
  mkdirSync(folder);
  present.push(takePresence(folder)!);
  const never = new Promise<ControlReply>(() => undefined);
  const answer = (): Promise<ControlReply> =>
    k === SILENT ? never : Promise.resolve({ status: 200, body: k === STRANGE ? { version: 99 } : statusOf(k) });
  running.push(await startControl({ folder, port: null, handler: answer, now: () => performance.now(), onError: () => undefined }));
  const note = { bot: `bot-${k}`, folder };
  mkdirSync(join(home, 'locks'), { recursive: true });
  writeFileSync(join(home, 'locks', `${k}.json`), JSON.stringify(note));
}

async function hub(named: readonly string[] = []): Promise<OpenedHub> {
  return new Promise((onReady, fail) => {
    const run = runHub({ cwd: home, env: { TICKWRIGHT_STATE_HOME: home }, named, port: 0, log, signal: stop.signal, onReady });
    ended ??= run;
    run.catch(fail);
  });
}

const tokenIn = ({ file }: OpenedHub): string => /name="token" value="([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';

async function overview(user: WebUser, isWanted: (answer: HubAnswer) => boolean): Promise<HubAnswer> {
  for (;;) {
    const { body } = await user.call('GET', '/api/overview');
    if (isWanted(body as HubAnswer)) return body as HubAnswer;
    await sleep(100);
  }
}

let first: OpenedHub;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'hub-'));
  for (let k = 0; k < BOTS; k++) await play(k);
  first = await hub();
});
afterAll(async () => {
  stop.abort();
  await ended;
  for (const one of running) await one.close();
  for (const one of present) one.release();
  rmSync(home, { recursive: true, force: true });
});

describe('the hub', () => {
  it('shows twenty bots; one that hangs, one of another version and one that is not understood are said to be so', async () => {
    const user = await WebUser.login(first.url, tokenIn(first));
    const wanted = Array.from({ length: BOTS }, (_, k) => (k === SILENT ? 'silent' : k === STRANGE ? 'not-understood' : 'running'));
    const all = await overview(user, ({ bots }) => {
      const states = new Map(bots.map(({ folder, state, says }) => [folder, says === 'not seen yet' ? says : state]));
      return states.size === BOTS && wanted.every((state, k) => states.get(join(home, `bot-${k}`)) === state);
    });
    expect(all.uncounted.length).toBe(3);
    // Ten live accounts; of the paper ones two bots share one. Two bots of an unknown kind may belong to both, and one is of paper.
    expect(
      all.totals.map(({ account, accounts, equity, worstLoss, uncounted }) => [account, accounts, equity, worstLoss, uncounted]),
    ).toEqual([
      ['live', 10, '100005.00', '1200.00', 2],
      ['paper', 6, '50002.50', '600.00', 3],
    ]);
  });

  it('has no other route, lets nobody in without a login, and no page of another origin', async () => {
    const again = await hub();
    expect(again.url).toBe(first.url);
    const user = await WebUser.login(again.url, tokenIn(again));
    expect((await user.call('POST', '/api/stop', {})).status).toBe(404);
    expect((await user.call('GET', '/api/now')).status).toBe(404);
    expect((await callWeb(first.url, 'GET', '/api/overview')).status).toBe(401);
    const session = { authorization: `Bearer ${user.session}` };
    for (const headers of [{ origin: 'http://127.0.0.1:1' }, { 'sec-fetch-site': 'same-site' }, { host: 'evil.example' }])
      expect((await callWeb(first.url, 'GET', '/api/overview', { ...session, ...headers })).status).toBe(403);
    const { headers } = await user.call('GET', '/api/overview');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    // A second use of the token ends the session that it gave.
    expect((await callWeb(again.url, 'POST', '/api/login', {}, { token: tokenIn(again) })).status).toBe(401);
    expect((await user.call('GET', '/api/overview')).status).toBe(401);
  });
});

describe.skipIf(!hasChromium('the hub'))('the page of the hub in a browser', () => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await openTab();
  });
  afterAll(async () => {
    await tab?.close();
  });

  it.each(VIEWS)('shows all bots at $width pixels, $scheme, without a complaint of the browser or of axe', async (view) => {
    const page = await hub();
    await tab.open(page.url, view);
    await tab.until(`document.querySelector('input[name=token]') !== null`);
    await tab.ask(
      `(document.querySelector('input[name=token]').value = '${tokenIn(page)}', document.querySelector('form button').click())`,
    );
    await tab.until(`document.body.textContent.includes('bot-19') && document.body.innerText.includes('gives no answer')`);
    const isPhone = view.width === 390;
    // Sums that may leave out a bot say so, each with its coin, and what is unknown names its cause.
    const textOf = async (where: string): Promise<string> =>
      String(await tab.ask(`document.querySelector('${where}').innerText`)).replaceAll(/[\s\u202f]+/g, ' ');
    const live = await textOf('#total-live-USDT');
    expect(live).toContain(
      'Can lose at least 1 200.00 USDT if every stop or liquidation is hit; 2 bots of unknown account not counted; before slippage, fees and resting orders',
    );
    expect(live).toContain('Halts none known 2 bots of unknown account not counted');
    const paper = await textOf('#total-paper-USDT');
    expect(paper).toContain(
      'Can lose at least 600.00 USDT bot-3: no stop or liquidation price of BTCUSDT LONG is known; 3 bots of unknown account',
    );
    expect(paper).toMatch(
      /^PAPER Equity at least 50 002\.50 USDT 5 of 6 accounts, read \d+ s ago; not known: that of bot-9; 3 bots of unknown account/,
    );
    expect(paper).toContain('Halts at least 2 3 bots of unknown account not counted');
    expect(await tab.ask(`[...document.querySelectorAll('main > section')].map(({ id }) => id).slice(0, 2)`)).toEqual([
      'total-live-USDT',
      'total-paper-USDT',
    ]);
    // The bar covers nothing of the first card, also at its edge.
    const [bar, card] = ['.bar', 'main > section'].map((one) => `document.querySelector('${one}').getBoundingClientRect()`);
    expect(await tab.ask(`${card}.top - ${bar}.bottom`)).toBeGreaterThanOrEqual(8);
    const rowOf = (bot: string): Promise<string> =>
      tab
        .ask(`[...document.querySelectorAll('#bots tbody tr')].find((one) => one.cells[0].firstChild.textContent === '${bot}').innerText`)
        .then((text) => String(text).replaceAll(/\s+/g, ' '));
    expect(await rowOf('bot-2')).toContain('■ halted');
    expect(await rowOf('bot-8')).toContain('▲ runs, 1 halt');
    expect(await rowOf(`bot-${STRANGE}`)).toContain('■ answer not understood (another version?)');
    expect(await rowOf('bot-2')).toContain(`start one: tickwright monitor --state ${join(home, 'bot-2')}`);
    const alarms = await textOf('.halts');
    expect(alarms).toContain(`bot-${STRANGE}: answer not understood (another version?): give it and this program the same version`);
    expect(alarms).toContain('bot-8: BTCUSDT is halted by somebody: news (operator).');
    expect(alarms).toContain(`Ends with: tickwright resume --state ${join(home, 'bot-2')}`);
    expect(await textOf('.bar .line')).toBe('All bots 19 of 20 bots answer');
    expect(await textOf('footer')).toContain('tickwright halt --state FOLDER stops the opens of one bot');
    // Bots that need nobody are behind one line on a phone; the one that hangs and the one that is halted are in sight.
    expect(await tab.ask(`document.body.innerText.includes('bot-19')`)).toBe(!isPhone);
    for (const k of [SILENT, 2, OLDER]) expect(await tab.ask(`document.querySelector('#bots').innerText.includes('bot-${k}')`)).toBe(true);
    if (isPhone) {
      expect(await tab.ask('document.documentElement.scrollHeight / innerHeight')).toBeLessThan(8);
      await tab.ask(`document.querySelectorAll('details.well').forEach((one) => (one.open = true))`);
      expect(await tab.ask(`document.body.innerText.includes('bot-19')`)).toBe(true);
    }
    expect(await tab.violations()).toEqual([]);
    expect(await tab.ask('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const low = `[...document.querySelectorAll('button, input, a')].filter((one) => one.getBoundingClientRect().height < 44)`;
    expect(await tab.ask(`${low}.map((one) => one.textContent)`)).toEqual([]);
    expect(tab.complaints).toEqual([]);
    expect(await tab.ask('document.title')).toBe('Tickwright');
    expect([...tab.requested].filter((origin) => origin !== 'null')).toEqual([page.url]);
    const folder = process.env['TICKWRIGHT_PICTURES'];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `hub-${view.width}-${view.scheme}.png`), await tab.picture());
    await tab.ask(`document.querySelectorAll('details.well').forEach((one) => (one.open = false))`);
    writeFileSync(join(folder, `hub-${view.width}-${view.scheme}-folded.png`), await tab.picture());
  });
});
