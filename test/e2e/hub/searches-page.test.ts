/**
 * A search that is watched in a real browser: a real `optimize` beside the real hub. It is killed, continued by its name, and ends. With
 * TICKWRIGHT_PICTURES=FOLDER it leaves pictures there.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHub, type OpenedHub } from '../../../src/run/hub/hub.ts';
import { writeRandomTape } from '../../support/backtest/reference-strategy.ts';
import { MemoryLog } from '../../support/engine/engine-kit.ts';
import { hasChromium, openTab, type Tab, type View } from '../../support/processes/browser.ts';
import { cleanUp, freshFolder, launch, ROOT, runToEnd } from '../process.ts';

const PHONE: View = { width: 390, height: 844, scheme: 'dark' };
const LAPTOP: View = { width: 1280, height: 900, scheme: 'light' };

describe.skipIf(!hasChromium('a search that is watched'))('a search that is watched in a browser', () => {
  const stop = new AbortController();
  let folder = '';
  let env: Readonly<Record<string, string>> = {};
  let hub: OpenedHub;
  let ended: Promise<boolean>;
  let tab: Tab;

  beforeAll(async () => {
    folder = freshFolder();
    env = { TICKWRIGHT_STATE_HOME: join(folder, 'home') };
    writeRandomTape(join(folder, 'tape'), { seed: 5, rows: 30_000, symbols: 1, stepMs: 300 });
    hub = await new Promise((onReady, fail) => {
      ended = runHub({ cwd: folder, env, named: [], port: 0, log: new MemoryLog(), signal: stop.signal, onReady });
      ended.catch(fail);
    });
    tab = await openTab();
  });
  afterAll(async () => {
    await tab?.close();
    stop.abort();
    await ended;
    await cleanUp();
  });

  const search = (study: string, ...flags: string[]): string[] => {
    const files = [
      '--tape',
      join(folder, 'tape'),
      '--strategy',
      join(ROOT, 'strategies/ema-cross.ts'),
      '--study',
      join(folder, `${study}.study`),
    ];
    const space = ['fast=2..30', 'slow=31..120', 'bar=1s'].flatMap((one) => ['--param', one]);
    return ['optimize', ...files, ...space, '--every-tick', '--json', ...flags];
  };
  const shows = (text: string): Promise<void> => tab.until(`document.body.innerText.includes(${JSON.stringify(text)})`);
  const settled = `Number(/Trials\\s+(\\d+) of/.exec(document.querySelector('#study')?.innerText)?.[1] ?? -1)`;
  async function checked(name: string): Promise<void> {
    await tab.until(`document.querySelector('#study canvas') !== null`);
    expect(await tab.violations()).toEqual([]);
    expect(await tab.ask('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(tab.complaints).toEqual([]);
    const pictures = process.env['TICKWRIGHT_PICTURES'];
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    writeFileSync(join(pictures, `searches-${name}.png`), await tab.picture());
  }

  it('shows trials, best and time left while it runs, that it was interrupted, and how the best did where nothing was searched', async () => {
    const program = launch(search('mine', '--by', 'netProfit', '--trials', '900', '--workers', '1'), env);
    await tab.open(hub.url, LAPTOP);
    await tab.until(`document.querySelector('input[name=token]') !== null`);
    const token = /name="token" value="([^"]+)"/.exec(readFileSync(hub.file, 'utf8'))?.[1] ?? '';
    await tab.ask(`(document.querySelector('input[name=token]').value = '${token}', document.querySelector('form button').click())`);
    await tab.until(`${settled} > 10`);
    await shows('● searches');
    // How fast it is has to be seen first, and that a trial had a result.
    await tab.until(String.raw`/Time left\s+\d+ (s|min)[^]*fast=\d+ slow=\d+/.test(document.querySelector('#study').innerText)`);
    const before = Number(await tab.ask(settled));
    await tab.until(`${settled} > ${before + 10}`);
    await checked('running-1280');
    expect(program.isRunning).toBe(true);
    await program.kill('SIGKILL');
    await shows('■ interrupted');
    await shows(`tickwright optimize --resume ${join(folder, 'mine.study')}`);
    await checked('interrupted-1280');
    // The count of trials is where the curve ends: with one rung a trial is one run.
    const drawn = `Number(/in sample: (\\d+) trials have ended/.exec(document.querySelector('#study figcaption').innerText)?.[1])`;
    expect(await tab.ask(settled)).toBe(await tab.ask(drawn));
    await shows('held out: tried at the end');
    const { code, out } = await runToEnd(['optimize', '--resume', join(folder, 'mine'), '--trials', '24', '--json'], env);
    expect(code).toBe(0);
    const { best } = JSON.parse(out) as { readonly best: { readonly number: number; readonly params: Readonly<Record<string, string>> } };
    await shows('✓ ended');
    await tab.until(`document.querySelector('#study thead')?.textContent.includes('netProfit, held out') === true`);
    // In sample and held out, beside each other in the list and in the headline.
    expect(await tab.ask(`document.querySelector('#searches').innerText`)).toMatch(
      /Best, in sample[^]*netProfit [\u2212\d.]+\s*held out: netProfit/,
    );
    expect(await tab.ask(`document.querySelector('#study .facts').innerText`)).toMatch(
      /Best so far, in sample\s+netProfit [^]*held out: netProfit/,
    );
    const first = `document.querySelector('#study tbody tr').innerText.replace(/\\s+/g, ' ')`;
    expect(await tab.ask(first)).toMatch(new RegExp(`^${best.number} .*fast=${best.params['fast']} slow=${best.params['slow']}`));
    await runToEnd(search('front', '--by', 'netProfit,maxDrawdown', '--sampler', 'nsga2', '--trials', '60'), env);
    await tab.until(`document.querySelector('#searches tbody').innerText.includes('front')`);
    await tab.ask(`[...document.querySelectorAll('#searches button')].find((one) => one.textContent === 'front').click()`);
    await shows('which no other trial beats in both');
    await checked('front-1280');
  });

  it.each([PHONE, LAPTOP])('fits at $width pixels', async (view) => {
    const again = await new Promise<OpenedHub>((onReady, fail) => {
      runHub({ cwd: folder, env, named: [], port: 0, log: new MemoryLog(), signal: stop.signal, onReady }).catch(fail);
    });
    await tab.open(again.url, view);
    await tab.until(`document.querySelector('input[name=token]') !== null`);
    const token = /name="token" value="([^"]+)"/.exec(readFileSync(again.file, 'utf8'))?.[1] ?? '';
    await tab.ask(`(document.querySelector('input[name=token]').value = '${token}', document.querySelector('form button').click())`);
    await checked(`ended-${view.width}`);
  });
});
