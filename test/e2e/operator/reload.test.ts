/** A strategy that is given its file again while the bot runs: real bot and exchange, killed around the command, replayed from the recording. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { sessionsIn } from '../../../src/edge/file/session-file.ts';
import type { MadeBox } from '../../../src/run/blackbox/make-box.ts';
import type { ActAnswer, RefusalAnswer, ReloadAnswer, StatusAnswer } from '../../../src/control/answers.ts';
import { callControl } from '../../../src/edge/control/control-client.ts';
import { machineNow } from '../../../src/edge/time/machine-clock.ts';
import { cleanUp, type LogLine, runToEnd, STOPPED } from '../process.ts';
import { expectEqualReplays } from './equal-replays.ts';
import { Stage } from '../stage.ts';

/** Number of kills around a command; more in a nightly run. */
const KILLS = Number(process.env['TICKWRIGHT_CHANGE_KILLS'] ?? 4);

afterEach(cleanUp);

/** A bot whose strategy has its text in two files of the test. */
class Reloading {
  readonly stage = new Stage();
  readonly folder = this.stage.folder;
  readonly at = ['--state', join(this.folder, 'bot')];

  /** `act` is what the strategy does with each quote, after it has said its version; `create` is done when it is made. */
  write(version: string, act = '', create = ''): void {
    writeFileSync(join(this.folder, 'version.ts'), `export const VERSION: string = '${version}';\n`);
    writeFileSync(
      join(this.folder, 'reloaded.ts'),
      `import { defineStrategy } from 'tickwright';
import { VERSION } from './version.ts';
export default defineStrategy({
  name: 'reloaded',
  create: () => {
    ${create}
    let quotes = 0;
    return {
      onStart: (ctx) => void ctx.log('version', { version: VERSION, quotes }),
      onQuote(market, ctx) {
        quotes++;
        if (quotes % 5 === 0) ctx.log('quoted');
        ${act}
        if (market.long.lots === 0 && market.long.opening === 0) ctx.open(market, 'LONG', { size: 0.1, reason: VERSION });
      },
      save: () => (VERSION === 'bad' ? 'bad ' : '') + quotes,
      restore(text) {
        if (VERSION !== 'bad' && text.startsWith('bad')) throw new Error('the state of another text');
        quotes = Number(text.replace('bad ', ''));
      },
    };
  },
});
`,
    );
  }

  async start(): Promise<void> {
    const strategies = [{ file: join(this.folder, 'reloaded.ts'), symbols: ['BTCUSDT'] }];
    await this.stage.startBot({ config: { strategies } });
  }

  async reload<T = ActAnswer>(): Promise<T> {
    return this.#call<T>('POST', 'reload', { askedAt: machineNow(), by: 'test' });
  }

  async status(): Promise<ReloadAnswer | undefined> {
    return (await this.#call<StatusAnswer>('GET', 'status', {})).strategies[0]!.reload;
  }

  /** What the strategy says, in this process of the bot. */
  said(event: 'version' | 'quoted'): LogLine[] {
    return this.stage.bot.logged('strategy-log').filter((line) => line['says'] === event);
  }

  /** Versions that this process of the bot started with, in order. */
  get versions(): unknown[] {
    return this.said('version').map((line) => line['version']);
  }

  /** Waits until the bot that was just started runs a version. */
  async began(): Promise<unknown> {
    await this.stage.bot.until('the strategy has started', () => this.versions.length > 0);
    return this.versions.at(-1);
  }

  async #call<T>(method: 'GET' | 'POST', name: string, given: object): Promise<T> {
    const called = await callControl(join(this.folder, 'bot'), { method, name, given: { ...given } });
    if (!called.isThere) throw new Error(`no bot: ${called.cause}`);
    return called.body as T;
  }
}

/** Ends the bot; replays all its sessions. */
async function expectEqualToTheEnd({ stage, folder }: Reloading): Promise<void> {
  await stage.bot.kill('SIGTERM');
  expect(STOPPED).toContain(stage.bot.code);
  await expectEqualReplays(join(folder, 'bot'));
}

/** The black box of the last session of a bot that was stopped. What it holds replays, also if that is not the whole session. */
async function boxOf({ folder }: Reloading, flags: readonly string[]): Promise<MadeBox> {
  const out = join(folder, `box${flags.join('')}.jsonl`);
  const made = await runToEnd(['blackbox', sessionsIn(join(folder, 'bot/sessions')).at(-1)!, '--out', out, '--json', ...flags]);
  expect(made.err).toBe('');
  expect(await runToEnd(['replay', out])).toMatchObject({ code: 0, out: expect.stringContaining('equal to the end') });
  return JSON.parse(made.out) as MadeBox;
}

it('runs the file on disk at once, also after kill -9 around the command, and replays with each text', async () => {
  const bot = new Reloading();
  bot.write('v0');
  await bot.start();
  await bot.stage.untilHeld(1);
  expect(await bot.status()).toBeUndefined();
  expect(await bot.reload<RefusalAnswer>()).toMatchObject({ ok: false, message: expect.stringContaining('is the text that runs') });
  bot.write('broken', 'const = 3;');
  const broken = await runToEnd(['reload', 'reloaded', ...bot.at]);
  expect([broken.code, broken.err]).toEqual([5, expect.stringContaining('reloaded.ts')]);
  expect(bot.versions).toEqual(['v0']);

  const random = new Random(3);
  let version = 'v0';
  let answered = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const next = `v${kill}`;
    bot.write(next);
    const asked = bot.reload().then(
      ({ ok }) => ok,
      () => false,
    );
    const isAnswered = random.uniform() < 0.5 ? await asked : await Promise.race([asked, sleep(random.below(30)).then(() => false)]);
    await bot.stage.bot.kill('SIGKILL');
    await bot.start();
    const begun = await bot.began();
    if (isAnswered) answered++;
    // A bot that was never reloaded starts with the file on disk.
    expect(isAnswered ? [next] : [version, next], `answered: ${isAnswered}`).toContain(begun);
    version = String(begun);
  }
  expect(answered, 'of all kills some came after the answer').toBeGreaterThan(0);
  await bot.stage.bot.until('some quotes', () => bot.said('quoted').length > 0);
  bot.write('last');
  const begun = performance.now();
  expect((await bot.reload()).did[0]).toContain('its state was carried over');
  const tookMs = performance.now() - begun;
  console.info(`reload took ${Math.round(tookMs)} ms from the call to the durable answer`);
  expect(bot.versions.at(-1)).toBe('last');
  expect(Number(bot.said('version').at(-1)?.['quotes']), 'the state of the text before').toBeGreaterThan(0);
  expect(await bot.status()).toMatchObject({ returned: '', onDisk: 'same' });
  // Longer than a text that is kept may be.
  bot.write('edited', `/*${'x'.repeat(262_144)}*/`);
  expect(await bot.status()).toMatchObject({ onDisk: 'other' });
  await bot.stage.bot.kill('SIGKILL');
  await bot.start();
  expect([await bot.began(), bot.stage.bot.logged('reload-kept').length]).toEqual(['last', 1]);
  const shown = (await runToEnd(['status', ...bot.at])).out.replaceAll(/\s+/g, ' ');
  expect(shown).toMatch(/text [0-9a-f]{12} reloaded at .*; the file on disk is another/);
  await expectEqualToTheEnd(bot);
  // The session began with the text of a reload.
  expect(await boxOf(bot, [])).toMatchObject({ why: '', replays: true });
});

it('takes the text back that throws or asks for too much, and runs the one before after kill -9 too', async () => {
  const bot = new Reloading();
  bot.write('good');
  await bot.start();
  await bot.stage.untilHeld(1);
  const faults = [
    [`if (quotes > 0) throw new Error('no');`, 'onQuote threw Error: no'],
    [`ctx.open(market, 'LONG', { size: 50, reason: 'much' });`, 'it asks for more than its size: order-size'],
  ] as const;
  for (const [act, why] of faults) {
    bot.write('bad', act);
    expect((await bot.reload()).ok).toBe(true);
    // The return of the fault before may be in this log, too: see below.
    const isOfThis = (line: Readonly<Record<string, unknown>>): boolean => String(line['why']).includes(why);
    await bot.stage.bot.until('the text is taken back', () => bot.stage.bot.logged('reload-returned').some(isOfThis));
    await bot.stage.bot.until('the text before is back', () => bot.versions.includes('bad') && bot.versions.at(-1) === 'good');
    expect(bot.stage.bot.logged('reload-returned').at(-1)).toMatchObject({ why: expect.stringContaining(why) });
    await bot.stage.bot.kill('SIGKILL');
    await bot.start();
    // A kill before the record of the return is durable leaves the text that fails: it fails again.
    await bot.stage.bot.until('the text before runs', () => bot.versions.at(-1) === 'good');
    expect(await bot.status()).toMatchObject({ returned: expect.stringContaining(why), trialUntil: 0, onDisk: 'other' });
    expect(Number(bot.said('version').at(-1)?.['quotes']), 'its own state').toBeGreaterThan(0);
    expect(bot.stage.bot.logged('strategy-error').filter((line) => String(line['error']).includes('another text'))).toEqual([]);
  }
  // On trial over a restart, too: the fault comes in the process after.
  bot.write('late', `if (ctx.account.equity > 0 && market.long.lots > 0 && quotes % 40 === 39) throw new Error('late');`);
  expect((await bot.reload()).ok).toBe(true);
  await bot.stage.bot.kill('SIGKILL');
  await bot.start();
  await bot.stage.bot.until('the text before is back', () => bot.versions.at(-1) === 'good');
  await expectEqualToTheEnd(bot);
});

it('rehearses the text on disk, runs it beside the one that trades, and takes it when a person says so', async () => {
  const bot = new Reloading();
  // Between two lists of positions no order was sent: from there on a rehearsal begins.
  const settled = (): Promise<void> => bot.stage.bot.until('quotes without an order', () => bot.said('quoted').length >= 6);
  bot.write('old');
  await bot.start();
  await bot.stage.untilHeld(1);
  await settled();
  // Sells what it holds every ten quotes, so that it opens again.
  const sells = `if (quotes % 10 === 0 && market.long.lots > 0) ctx.close(market, 'LONG', { reason: VERSION });`;
  bot.write('new', sells);
  const rehearsal = await runToEnd(['reload', '--rehearse', ...bot.at]);
  expect([rehearsal.code, rehearsal.err], rehearsal.out).toEqual([4, expect.stringContaining('nothing was changed')]);
  expect(rehearsal.out).toMatch(/recorded {6}\d+ orders?, profit /);
  expect(bot.versions).toEqual(['old']);

  const none = await runToEnd(['reload', '--shadow', '0s', ...bot.at]);
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('expected a time above 0 and of at most a day such as 10m, found 0s')]);
  // On a slow machine there may be too few quotes in that time.
  const shadow = async (): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> => {
    for (;;) {
      const ended = await runToEnd(['reload', 'reloaded', '--shadow', '3s', ...bot.at]);
      if (ended.out.includes('of one text alone')) return ended;
    }
  };
  const shown = await shadow();
  expect([shown.code, shown.err], shown.out).toEqual([4, expect.stringContaining('nothing was changed')]);
  expect(shown.out).toMatch(/text before {3}0 orders, 0 fills, profit /);
  expect(shown.out).toMatch(/Z text on disk order BTCUSDT LONG CLOSE MARKET 0\.1/);
  expect(bot.versions).toEqual(['old']);

  // The bot is killed while the texts are compared, and goes on with its own.
  const amid = runToEnd(['reload', '--shadow', '2s', ...bot.at]);
  await sleep(500);
  await bot.stage.bot.kill('SIGKILL');
  bot.write('old');
  await bot.start();
  expect((await amid).code).not.toBe(0);
  expect(await bot.began()).toBe('old');
  await bot.stage.bot.until('it quotes on', () => bot.said('quoted').length > 3);
  bot.write('bad', `if (quotes > 0) throw new Error('no');`);
  const bad = await runToEnd(['reload', '--rehearse', '--yes', ...bot.at]);
  expect([bad.code, bad.err], bad.out).toEqual([5, expect.stringContaining('the text would not run: onQuote threw Error: no')]);
  expect(bot.versions).toEqual(['old']);
  bot.write('new', sells);
  const taken = await runToEnd(['reload', 'reloaded', '--rehearse', '--yes', ...bot.at]);
  expect([taken.code, taken.out], taken.err).toEqual([0, expect.stringContaining('its state was carried over')]);
  expect(await bot.status()).toMatchObject({ onDisk: 'same', returned: '' });
  await bot.stage.bot.kill('SIGTERM');
  const why = expect.stringContaining('the session loads another text of reloaded (reload), which a black box does not hold');
  for (const flags of [[], ['--intents']]) expect(await boxOf(bot, flags)).toMatchObject({ why, replays: false });
});

it('replays over a reload that was refused, whole and as a black box', async () => {
  const bot = new Reloading();
  bot.write('v0');
  await bot.start();
  await bot.stage.untilHeld(1);
  expect(await bot.reload<RefusalAnswer>()).toMatchObject({ ok: false, message: expect.stringContaining('is the text that runs') });
  // It is loaded, and refused by the kernel, because it cannot be created.
  bot.write('v1', '', `throw new Error('not today');`);
  expect(await bot.reload<RefusalAnswer>()).toMatchObject({ ok: false, message: expect.stringContaining('not today') });
  await bot.stage.bot.until('it quotes on', () => bot.said('quoted').length > 3);
  await expectEqualToTheEnd(bot);
  for (const flags of [[], ['--intents']]) expect(await boxOf(bot, flags)).toMatchObject({ replays: true });
});
