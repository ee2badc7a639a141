/**
 * A person is told: a bot on an exchange, its monitor, and a service that takes alerts, all real processes and sockets. The time from the cause
 * to the message is printed; that it is at most five seconds is measured on a quiet machine.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlertStore } from '../../../src/edge/alerts/alert-store.ts';
import { ntfyService, telegramService, type AlertService } from '../../support/monitor/alert-services.ts';
import { addressOf, cleanUp, DEMO, launch, runToEnd } from '../process.ts';
import { RISK, Stage, type StageOptions } from '../stage.ts';

/** A bot with a file of alerts starts its monitor. */
const WATCHED = { TICKWRIGHT_MONITOR_ENABLED: 'start' };
let push: AlertService;
beforeEach(async () => {
  push = await ntfyService('tk_CANARY');
});
afterEach(async () => {
  await cleanUp();
  await push.close();
});

/** The configuration of a bot whose alerts go to the service. The file of channels is in the folder of the stage. */
function configOf(stage: Stage, more: Readonly<Record<string, unknown>> = {}, alerts: object = {}): NonNullable<StageOptions['config']> {
  const file = join(stage.folder, 'alerts.yaml');
  writeFileSync(file, `channels:\n  - { name: push, kind: ntfy, url: "${push.url}", topic: bot, token: tk_CANARY }\n`, { mode: 0o600 });
  return { alerts: { file, ...alerts }, ...more };
}

const titles = (): string[] => push.taken.map(({ title }) => String(title));

/** Waits for the message, and prints how long it took since `from`. */
async function told(title: string, from: number): Promise<Record<string, unknown>> {
  await expect.poll(titles).toContain(title);
  console.info(`${title}: ${Date.now() - from} ms`);
  return push.taken.find((one) => one['title'] === title)!;
}

/** Waits until the monitor of the bot hears it. */
async function watched(stage: Stage): Promise<void> {
  const log = join(folderOf(stage), 'monitor.log');
  await expect.poll(() => (existsSync(log) ? readFileSync(log, 'utf8') : '')).toContain('"state":"connected"');
}

const folderOf = (stage: Stage): string => join(stage.folder, 'bot');

describe('a person is told', () => {
  it('of a halt, of the kill switch, of the end of both, and of a bot that was killed and came back', async () => {
    const stage = new Stage({ env: WATCHED });
    await stage.startBot({ config: configOf(stage) });
    await watched(stage);
    let from = Date.now();
    await runToEnd(['halt', '--why', 'news at noon', '--state', folderOf(stage)]);
    expect(String((await told('INFO stage: halted by an operator', from))['message'])).toContain('news at noon');
    from = Date.now();
    await runToEnd(['kill', '--state', folderOf(stage)]);
    expect(await told('CRITICAL stage: kill switch', from)).toMatchObject({ priority: 5 });
    from = Date.now();
    await runToEnd(['resume', '--i-know', '--state', folderOf(stage)]);
    await told('RESOLVED stage: kill switch', from);
    from = Date.now();
    await stage.bot.kill('SIGKILL');
    await told('CRITICAL stage: the bot is gone or stands still', from);
    from = Date.now();
    await stage.startBot();
    await told('RESOLVED stage: the bot is gone or stands still', from);
    await stage.end();
    const log = readFileSync(join(folderOf(stage), 'monitor.log'), 'utf8');
    expect(log + stage.bot.out + stage.bot.err).not.toMatch(/tk_CANARY|127\.0\.0\.1:\d+\/?"?,?"topic/);
  });

  it('of a bot that stands still, once, also if its monitor is killed and starts again', async () => {
    const stage = new Stage({ env: WATCHED });
    await stage.startBot({ config: configOf(stage) });
    await watched(stage);
    const from = Date.now();
    process.kill(stage.bot.pid, 'SIGSTOP');
    await told('CRITICAL stage: the bot is gone or stands still', from);
    process.kill(stage.bot.pid, 'SIGCONT');
    await told('RESOLVED stage: the bot is gone or stands still', from);
    await runToEnd(['kill', '--state', folderOf(stage)]);
    await told('CRITICAL stage: kill switch', from);
    const before = titles().length;
    const [, monitor = ''] = /"pid":(\d+)/.exec(readFileSync(join(folderOf(stage), 'monitor.log'), 'utf8')) ?? [];
    process.kill(Number(monitor), 'SIGKILL');
    await runToEnd(['resume', '--i-know', '--state', folderOf(stage)]);
    await told('RESOLVED stage: kill switch', from);
    expect(
      titles()
        .slice(before)
        .filter((title) => title.includes('kill switch')),
    ).toEqual(['RESOLVED stage: kill switch']);
    await stage.end();
    const store = new AlertStore(join(folderOf(stage), 'alerts.sqlite'), true);
    const kills = store.told(100).filter(({ message }) => message.title.includes('kill switch'));
    expect(kills.map(({ deliveries }) => deliveries.map(({ channel, fate }) => [channel, fate]))).toEqual([
      [['push', 'delivered']],
      [['push', 'delivered']],
    ]);
    store.close();
  });

  it('of a loss limit, a position that differs, a wrong clock, and a store that is lost', async () => {
    const stage = new Stage({ env: WATCHED });
    await stage.startBot({ config: configOf(stage, { risk: { ...RISK, minEquity: '90000 USDT' } }) });
    await watched(stage);
    await stage.untilHeld(1);
    let from = Date.now();
    await stage.faults([{ fault: 'skew', endpoints: 'all', ms: 3_600_000, count: 60 }]);
    await told('WARNING stage: a clock is wrong', from);
    from = Date.now();
    await stage.byHand('BTCUSDT', 'LONG', 'OPEN', '0.2');
    await told('CRITICAL stage: the position differs', from);
    from = Date.now();
    await stage.operator('deposit', { account: 'account-1', wallet: 'futures', coin: 'USDT', amount: '-20000' });
    await told('CRITICAL stage: loss limit', from);
    await stage.bot.kill('SIGTERM');
    rmSync(folderOf(stage), { recursive: true });
    from = Date.now();
    stage.launchBot();
    await told('CRITICAL stage: the store is lost', from);
    await stage.end();
  });

  it('of an unknown outcome that lasts, and of a venue that is away; both are resolved', async () => {
    const stage = new Stage({ env: WATCHED });
    await stage.startBot({
      config: configOf(stage, { venue: { baseUrl: await addressOf(stage.exchange), timeoutMs: 1000 }, external: { position: 'adopt' } }),
    });
    await watched(stage);
    await stage.untilHeld(1);
    await stage.faults([
      { fault: 'drop', phase: 'after', endpoints: ['E12'], count: 1 },
      { fault: 'status', status: 503, endpoints: ['E17', 'E18'] },
    ]);
    await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.1');
    let from = Date.now();
    await told('WARNING stage: unknown outcome for three seconds', from);
    await stage.faults([]);
    await told('RESOLVED stage: unknown outcome for three seconds', from);
    from = Date.now();
    process.kill(stage.exchange.pid, 'SIGSTOP');
    await told('WARNING stage: the venue is away', from);
    process.kill(stage.exchange.pid, 'SIGCONT');
    await told('RESOLVED stage: the venue is away', from);
    await stage.end();
  });

  it('of a watchdog that is missing, until it is there', async () => {
    const stage = new Stage({ env: WATCHED });
    await stage.startBot({ config: configOf(stage, { watchdog: { start: 'apart' } }) });
    let from = Date.now();
    expect(String((await told('CRITICAL stage: the watchdog cannot act', from))['message'])).toContain('no watchdog listens to the bot');
    expect((await runToEnd(['status', '--state', folderOf(stage)])).out).toMatch(/^watchdog +none listens/m);
    from = Date.now();
    const watchdog = launch(['watchdog', '--config', join(stage.folder, 'bot.yaml')], DEMO);
    await told('RESOLVED stage: the watchdog cannot act', from);
    expect((await runToEnd(['status', '--state', folderOf(stage)])).out).not.toMatch(/none listens/);
    await stage.end();
    await watchdog.kill('SIGTERM');
  });

  it('of orders that a stopped bot leaves at the venue', async () => {
    const stage = new Stage({ env: WATCHED });
    const strategies = [{ file: join(process.cwd(), 'test/e2e/strategies/rests.ts'), symbols: ['BTCUSDT'], params: { orders: 2 } }];
    await stage.startBot({ config: configOf(stage, { strategies }) });
    await watched(stage);
    await expect.poll(() => stage.bot.logged('order-placed').length).toBe(2);
    const from = Date.now();
    await stage.bot.kill('SIGTERM');
    expect(stage.bot.code).toBe(3);
    expect(String((await told('WARNING stage: orders stay at the venue', from))['message'])).toContain(
      'orders-left, orders 2, symbols BTCUSDT, ',
    );
    await stage.end();
  });

  it('and halts the bot from a phone, in two steps', async () => {
    const telegram = await telegramService('1:x');
    const stage = new Stage({ env: WATCHED });
    const config = configOf(stage);
    const file = join(stage.folder, 'alerts.yaml');
    writeFileSync(file, `channels:\n  - { name: phone, kind: telegram, token: "1:x", chat: "11", users: "11", url: "${telegram.url}" }\n`);
    await stage.startBot({ config });
    await watched(stage);
    telegram.say(33, '/halt');
    telegram.say(11, '/halt');
    await expect.poll(() => telegram.texts().length).toBe(1);
    const shown = telegram.taken.find((one) => one['reply_markup'] !== undefined)!['reply_markup'] as {
      inline_keyboard: [[{ callback_data: string }]];
    };
    telegram.press(11, shown.inline_keyboard[0][0].callback_data);
    await stage.bot.untilLogged('opens-halted');
    expect(stage.bot.logged('opens-halted')[0]).toMatchObject({ code: 'operator', by: 'telegram 11' });
    await expect.poll(() => telegram.texts().some((text) => text.startsWith('INFO stage: halted by an operator'))).toBe(true);
    await stage.end();
    await telegram.close();
  });
});
