/**
 * What a person reads on the dashboard in trouble: what STOP leaves, the way back and how far it is from the worst button, what remains when the bot
 * is gone, one figure of what can be lost, and the view that is shown in the strip of a phone.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dashboardFiles } from '../../../src/run/monitor/page-files.ts';
import type { PlayedMonitor } from '../../support/monitor/dashboard-server.ts';
import { openDashboard, PHONE, shows } from '../../support/monitor/opened-dashboard.ts';
import { hasChromium, openTab, type Tab } from '../../support/processes/browser.ts';

/** An order that was cancelled. */
const cancelled = (number: number, symbol: string): object => {
  const [size, time] = ['1', Date.now()];
  const order = { number, symbol, side: 'LONG', effect: 'OPEN', state: 'cancelled', size, filled: '0', price: '', trigger: '', reason: '' };
  return { ...order, strategy: 'grid', createdAt: time, updatedAt: time };
};
/** Text of an element with single spaces. */
const textOf = (selector: string): string => `document.querySelector(${JSON.stringify(selector)}).innerText.replace(/\\s+/g, ' ').trim()`;

describe.skipIf(!hasChromium('the dashboard in trouble'))('the dashboard in trouble', () => {
  const files = dashboardFiles();
  let tab: Tab;
  let monitor: PlayedMonitor;
  const open = async (page = 'live', view = PHONE): Promise<void> => {
    monitor = await openDashboard(tab, files, { page, view, until: `document.querySelector('main section') !== null` });
  };
  const stopped = async (): Promise<void> => {
    await tab.ask(`document.getElementById('stop').click()`);
    await tab.until(shows('New opens are stopped'));
    await tab.until(shows('To undo it: Resume, below.'));
  };

  beforeAll(async () => {
    tab = await openTab();
  });
  afterAll(async () => {
    await tab?.close();
  });
  afterEach(async () => {
    await monitor?.close();
  });

  it('says what STOP did in sentences, and what it did not stop', async () => {
    await open();
    await tab.until(shows('held by the venue'));
    expect(await tab.ask(textOf('#stop'))).toBe('STOP no new opens');
    await stopped();
    await tab.until(`${textOf('#still')}.includes('New opening orders: stopped.')`);
    const lines = `[...document.querySelectorAll('#stop-menu .done p')].map((one) => one.innerText.replace(/..:..:../, 'TIME'))`;
    expect(await tab.ask(lines)).toEqual([
      'Stopped at TIME UTC; in effect after 93 ms.',
      'No opening order leaves any more.',
      'To undo it: Resume, below.',
    ]);
    expect(await tab.ask(textOf('#still').replaceAll('\u202f', ' '))).toBe(
      [
        'What can still happen New opening orders: stopped. 2 opening orders can still fill:',
        '– BTCUSDT LONG open 0.250 at 59\u202f800.0 – SOLUSDT LONG open 15.0 at 142.10, outcome unknown',
        'Reduce only, below, cancels them; in a terminal tickwright reduce-only.',
        '3 positions stay open, 2 without a stop at the venue: – SOLUSDT LONG 40.0 to 55.0 SOL: no stop at the venue',
        '– ETHUSDT SHORT 12.00 ETH: no stop at the venue; this process watches it – BTCUSDT LONG 0.500 BTC: the venue holds its stop',
        'Strategies may still close positions.',
      ]
        .join(' ')
        .replaceAll('\u202f', ' '),
    );
  });

  it('says that opens are stopped while the bot is heard and the venue answers no read, and of a silent bot that it is not confirmed', async () => {
    await open();
    await tab.until(shows('held by the venue'));
    expect(await tab.ask(textOf('#at-risk > p'))).toBe('3 positions, 2 without a stop at the venue');
    monitor.setSilent(true);
    const by = { scope: 'bot', since: Date.now() };
    const unread = { ...by, code: 'positions-unread', detail: 'positions could not be read for 15 s', by: 'bot', ends: 'by itself' };
    const operator = { ...by, code: 'operator', detail: 'STOP on the page', by: 'ann', ends: 'tickwright resume' };
    const { readAt, ...status } = monitor.status();
    const old = { ...status, readAt: { ...readAt, positions: Date.now() - 60_000 }, halts: [unread, operator] };
    const again = setInterval(() => monitor.change('status', { ...old, time: Date.now() }), 500);
    try {
      await tab.until(shows('Two reads of the positions are overdue.'));
      expect(await tab.ask(textOf('#stop'))).toBe('STOP is stopped: more');
      await tab.ask(`document.getElementById('stop').click()`);
      await tab.until(shows('New opens are stopped'));
      expect(await tab.ask(textOf('#still'))).toContain('New opening orders: stopped.');
      // The halts stood: nothing was sent again.
      expect(monitor.sent).toEqual([]);
    } finally {
      clearInterval(again);
    }
    monitor.change('connection', { state: 'lost', since: Date.now(), heardAt: Date.now(), cause: 'its socket is closed' });
    await tab.until(shows('New opens are not confirmed as stopped'));
    expect(await tab.ask(textOf('#still'))).toContain('New opening orders: not confirmed as stopped.');
    // Nobody watches what only that process watched.
    expect(await tab.ask(textOf('#at-risk'))).toContain('✕ the bot that watched it is gone');
    expect(await tab.ask(shows('watched by this process'))).toBe(false);
  });

  it('says each halt once: beside the halt that stands no line of the log, and one that has ended in the same words', async () => {
    await open();
    await tab.until(shows('held by the venue'));
    const { halts } = monitor.status();
    const said = { event: 'symbol-halted', level: 'warn', symbol: '', seq: 0, cause: 'said by a line', by: 'bot', ends: 'by itself' };
    const line = (scope: string, code: string, since: number): object => ({
      ...said,
      time: new Date(since).toISOString(),
      id: since,
      scope,
      code,
    });
    monitor.change('log', line(halts[0].scope, halts[0].code, halts[0].since + 5));
    monitor.change('log', line('symbol:XRPUSDT', 'stale', Date.now()));
    await tab.until(shows('Opens of XRPUSDT were halted by bot: said by a line (stale).'));
    expect(await tab.ask(`document.querySelectorAll('#story .halt').length`)).toBe(2);
    expect(await tab.ask(textOf('#story'))).not.toContain('code outcome-unknown');
  });

  it('claims no stop for what an order of unknown outcome may have opened', async () => {
    await open();
    await tab.until(shows('held by the venue'));
    const unknown = (number: number, symbol: string): object => ({ ...cancelled(number, symbol), state: 'unknown', size: '0.100' });
    // One on a leg whose whole size has a stop, one where nothing is held.
    for (const order of [unknown(51, 'BTCUSDT'), unknown(52, 'XRPUSDT')]) monitor.change('order', order);
    await tab.until(shows('XRPUSDT'));
    await stopped();
    const lines = String(await tab.ask(textOf('#still')));
    expect(lines).toContain('4 positions stay open, 4 without a stop at the venue');
    expect(lines).toContain('BTCUSDT LONG 0.500 to 0.600 BTC: whether all of it has a stop is not known');
    expect(lines).toContain('XRPUSDT LONG 0.000 to 0.100 XRP: whether all of it has a stop is not known');
    expect(lines).not.toContain('the venue holds its stop');
  });

  it('says that it is not known whether lots that the bot did not open have a stop, and not that they have none', async () => {
    await open();
    await tab.until(shows('held by the venue'));
    // As after the restore of an older backup: the order that opened them is in no record of this store.
    const read = {
      symbol: 'XRPUSDT',
      side: 'LONG',
      size: '9',
      own: '0',
      entryPrice: '2',
      price: '2',
      unrealised: '0',
      liquidationPrice: '1',
    };
    const leg = { ...read, value: '18', opening: '0', closing: '0', strategies: ['grid'], exits: [], worstLoss: '9.00' };
    monitor.change('position', { ...leg, unprotected: '9', stopUnknown: '9' });
    const row = `[...document.querySelectorAll('#at-risk tr')].map((one) => one.innerText.replace(/\\s+/g, ' ')).find((one) => one.includes('XRPUSDT'))`;
    await tab.until(`${row} !== undefined`);
    expect(await tab.ask(row)).toMatch(/unknown the bot did not open it .*9\.00 at most/);
    // While no read agrees with the store, nothing of it is said to be held by the venue.
    const stop = { by: 'venue', what: 'stop-loss', size: '9', price: '1.9', limit: '', distance: '-5.00', order: 1 };
    monitor.change('position', { ...leg, own: '9', exits: [stop], unprotected: '0', shown: '4', worstLoss: '' });
    await tab.until(`${row}.includes('as the store has it; read: 4')`);
    expect(await tab.ask(row)).not.toContain('held by the venue');
    expect(await tab.ask(row)).toContain('no read confirms it yet');
    // A closing order that rests locks lots, which the stop-loss then leaves: what it closes is said with a size.
    monitor.change('position', { ...leg, own: '9', exits: [stop], unprotected: '7', locked: '6', stopUnknown: '0' });
    await tab.until(`${row}.includes('held by the venue for 2')`);
    expect(await tab.ask(row)).toMatch(/1 without .*6 locked by a closing order/);
    monitor.change('position', { ...leg, unprotected: '9', stopUnknown: '9' });
    await tab.until(`!${row}.includes('held by')`);
    await stopped();
    const lines = String(await tab.ask(textOf('#still')));
    expect(lines).toContain('XRPUSDT LONG 9 XRP: whether it has a stop is not known');
    expect(lines).toContain('4 positions stay open, 3 without a stop at the venue that this bot knows:');
  });

  it.each([PHONE, { width: 1280, height: 844, scheme: 'light' } as const])(
    'keeps Resume first and Kill folded and last at $width pixels, each effect above its button, the figures in sight',
    async (view) => {
      await open('live', view);
      await tab.until(shows('held by the venue'));
      await stopped();
      expect(await tab.ask(`[...document.querySelectorAll('#stop-menu .hold')].map((one) => one.innerText)`)).toEqual([
        'Hold: Resume',
        'Hold: Reduce only',
        'Hold: Cancel all orders',
        'Hold: Flatten',
        // In a closed fold it has no text that is shown.
        '',
      ]);
      // Resume is in sight without scrolling; above each button stands what it does.
      const inSight = `(() => {
        const [sheet, button] = ['#stop-menu', '#stop-menu .hold'].map((one) => document.querySelector(one).getBoundingClientRect());
        return button.bottom <= sheet.bottom - 40 && sheet.bottom <= innerHeight && document.querySelector('.figures').getBoundingClientRect().bottom <= sheet.top;
      })()`;
      expect(await tab.ask(inSight)).toBe(true);
      const above = `[...document.querySelectorAll('#stop-menu .hold')].every((one) => one.parentElement.lastElementChild === one && one.parentElement.querySelector('p') !== null)`;
      expect(await tab.ask(above)).toBe(true);
      // The end fades while there is more below, and covers nothing at the end.
      const under = `(() => {
        const sheet = document.getElementById('stop-menu');
        const { bottom } = sheet.querySelector(':scope > details').getBoundingClientRect();
        return [getComputedStyle(sheet, '::after').backgroundImage.startsWith('linear-gradient'), bottom <= sheet.getBoundingClientRect().bottom - 40];
      })()`;
      expect(await tab.ask(under)).toEqual([true, false]);
      await tab.ask(`document.getElementById('stop-menu').scrollTo(0, 1e6)`);
      expect(await tab.ask(under)).toEqual([true, true]);
      await tab.ask(`document.querySelector('#stop-menu details').open = true`);
      expect(await tab.ask(shows('Nothing opens again until “tickwright resume --i-know” is typed.'))).toBe(true);
      // Flatten closes what this bot opened, kill the whole leg.
      const closed = `[...document.querySelectorAll('#stop-menu [aria-label^="Closes"]')].map((one) => one.children[1].innerText)`;
      expect(await tab.ask(closed)).toEqual(['– ETHUSDT SHORT 8.00', '– ETHUSDT SHORT 12.00']);
      expect(await tab.violations()).toEqual([]);
    },
  );

  it('says how old the reading is when no order is known', async () => {
    await open();
    for (const number of [41, 42, 43]) monitor.change('order', cancelled(number, 'BTCUSDT'));
    await tab.ask(`document.getElementById('stop').click()`);
    await tab.until(`/No opening order is known \\(orders read \\d+ s ago\\)\\./.test(document.body.innerText)`);
    await tab.until(`/No order to cancel is known \\(orders read \\d+ s ago\\)\\./.test(document.body.innerText)`);
  });

  it('says of a bot that is gone what remains at the venue, how old that is, and what to do', async () => {
    await open();
    await tab.until(shows('held by the venue'));
    monitor.setSilent(true);
    monitor.change('connection', { state: 'lost', since: Date.now(), heardAt: Date.now(), cause: 'its socket is closed' });
    await tab.until(shows('■ The bot gives no answer. What remains at the venue'));
    const text = String(await tab.ask(textOf('#remains')));
    for (const words of [
      '3 positions stay open, 2 without a stop at the venue',
      '– ETHUSDT SHORT 12.00 ETH: no stop at the venue; the bot that watched it is gone',
      '3 orders can still fill',
      'Start the bot again as it was started',
      'at the venue itself',
      'STOP is recorded for the next start',
    ])
      expect(text).toContain(words);
    expect(text).toMatch(/as last heard \d+ s ago/);
    expect(await tab.ask(textOf('#health'))).toMatch(/■ Old values, of ..:..:.. UTC, \d+ s ago: how it is now is not known\./);
    expect(await tab.ask(textOf('.proof'))).toMatch(/^old: positions read \d+ s ago$/);
    // What is not heard any more does not go on: only ages count up.
    const running = `[...document.querySelectorAll('#health .facts div')].find((one) => one.innerText.startsWith('Running')).querySelector('dd').firstChild.textContent`;
    const before = await tab.ask(running);
    await tab.until(`/as last heard [3-9] s ago/.test(${textOf('#remains')})`);
    expect(await tab.ask(running)).toBe(before);
    expect(await tab.violations()).toEqual([]);
    monitor.change('connection', { state: 'connected', since: Date.now(), heardAt: Date.now(), cause: '' });
    await tab.until(`document.getElementById('remains') === null`);
  });

  it('says that a part of it has failed, which leaves old figures', async () => {
    await open();
    await tab.until(shows('held by the venue'));
    expect(await tab.ask(`document.getElementById('failed').checkVisibility()`)).toBe(false);
    // No monitor sends this: the page has an error.
    monitor.setSilent(true);
    monitor.change('reset', { boot: 'other', now: { positions: [], orders: [], quotes: [] } });
    await tab.until(shows('A part of this page has failed: what it shows may be old.'));
    expect(await tab.ask(`document.getElementById('failed').getBoundingClientRect().top`)).toBe(0);
    expect(await tab.violations()).toEqual([]);
  });

  it('shows the leg in trouble first, with what is wrong, and a venue that names no liquidation price as that', async () => {
    await open();
    await tab.until(shows('held by the venue'));
    const rows = `[...document.querySelectorAll('#at-risk tbody tr')].map(({ cells }) => [...cells].map((cell) => cell.innerText.replace(/\\s+/g, ' ').trim()))`;
    const [sol, eth, btc] = (await tab.ask(rows)) as string[][];
    expect(sol![0]).toContain('SOLUSDT ▲ LONG ■ halted ? unknown order');
    expect(sol![1]).toMatch(/^40\.0 to 55\.0 SOL/);
    expect(eth![0]).toContain('ETHUSDT ▼ SHORT');
    expect(eth![6]).toBe('none the venue names none');
    expect(btc![2]).toBe('60 250.5');
    expect(btc![3]).toMatch(/^6\d \d{3}\.\d read \d+ s ago$/);
  });

  it('has one figure of what can be lost, with its coin, which leads to the legs', async () => {
    await open('strategies');
    await tab.until(shows('the account'));
    const all = `[...document.querySelectorAll('#parts tbody tr')].at(-1).cells[7].innerText.replace(/\\s+/g, ' ')`;
    const least = String(await tab.ask(textOf('.lose')));
    expect(least).toMatch(/^≥ [\d.]+ at least; no bound: SOLUSDT, ETHUSDT$/);
    expect(await tab.ask(all)).toBe(least);
    const known = Number(/[\d.]+/.exec(least)![0]);
    expect(await tab.ask(`[...document.querySelectorAll('.figures dt')].map((one) => one.innerText)`)).toEqual([
      'Today UTC, USDT',
      'Can lose, USDT',
      'Equity, USDT',
    ]);
    // The legs without a bound are closed, and the order of unknown outcome did not land.
    monitor.change('order', cancelled(43, 'SOLUSDT'));
    for (const [symbol, side] of [
      ['SOLUSDT', 'LONG'],
      ['ETHUSDT', 'SHORT'],
    ])
      monitor.change('position', { symbol, side, size: '0' });
    await tab.until(`${textOf('.lose')} === '${known.toFixed(2)} before slippage, fees, 1 resting open'`);
    // No more than the equity, in both places.
    const unread = { entryPrice: '', unrealised: '', liquidationPrice: '', strategies: [] };
    monitor.change('position', {
      ...unread,
      symbol: 'XRPUSDT',
      side: 'LONG',
      size: '9',
      exits: [],
      unprotected: '9',
      price: '2',
      worstLoss: '20000.00',
    });
    const capped = `10 412.37 all of the equity (the legs: ${(20_000 + known).toFixed(2).replace('20', '20 ')})`;
    await tab.until(`${textOf('.lose')} === ${JSON.stringify(capped)}`);
    expect(await tab.ask(all)).toBe(capped);
    await tab.ask(`document.querySelector('.lose').click()`);
    await tab.until(`document.getElementById('at-risk') !== null && location.hash === '#live'`);
  });

  it.each(['live', 'limits', 'performance', 'searches'])('keeps the view that is shown in sight of the strip: %s', async (page) => {
    await open(page);
    const seen = `(() => {
      const [strip, link] = ['nav', 'nav [aria-current]'].map((one) => document.querySelector(one).getBoundingClientRect());
      return link.left >= strip.left && link.right <= strip.right;
    })()`;
    await tab.until(seen);
    const ends = { live: ['after'], limits: ['before', 'after'], performance: ['before', 'after'], searches: ['before'] }[page];
    await tab.until(`JSON.stringify([...document.querySelector('nav').classList]) === ${JSON.stringify(JSON.stringify(ends))}`);
  });

  it('names the lines of a narrow chart below it, says how to touch it, and shows no symbol as if it were typed', async () => {
    await open();
    await tab.until(`document.querySelector('[aria-label="Lines of the chart"]') !== null`);
    expect(await tab.ask(textOf('[aria-label="Lines of the chart"]'))).toContain('stop-loss (venue)');
    expect(await tab.ask(shows('Touch the chart to read prices'))).toBe(true);
    expect(await tab.ask(`[${textOf('#chart .choice')}, document.querySelector('#chart input').placeholder]`)).toEqual([
      'Symbol BTCUSDT',
      'Another symbol',
    ]);
    // Of a placeholder axe does not say how it can be read.
    const ratio = `(() => {
      const light = (color) => color.match(/[\\d.]+/g).slice(0, 3).map((one) => one / 255)
        .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)).reduce((sum, one, k) => sum + one * [0.2126, 0.7152, 0.0722][k], 0);
      const input = document.querySelector('#chart input');
      const [a, b] = [light(getComputedStyle(input, '::placeholder').color), light(getComputedStyle(input).backgroundColor)];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    })()`;
    expect(await tab.ask(ratio)).toBeGreaterThan(4.5);
  });
});
