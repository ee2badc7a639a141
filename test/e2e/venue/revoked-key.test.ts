/**
 * A key that the venue no longer takes: few requests, no open, exits as probes, and trading again by itself. The real bot over HTTP, judged by
 * the exchange's own count of requests and by its ledger.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ActAnswer, StatusAnswer } from '../../../src/control/answers.ts';
import { cleanUp, runToEnd } from '../process.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

const ACCOUNT = { account: 'account-1' };

/** Seconds without the key. `npx vitest run` with TICKWRIGHT_REVOKED_S=40 repeats the figure of docs/promises.md. */
const SECONDS = Number(process.env['TICKWRIGHT_REVOKED_S'] ?? 12);

async function refused(stage: Stage): Promise<number> {
  return Number((await stage.admin('requests'))['refused']);
}

async function command<T>(stage: Stage, ...words: readonly string[]): Promise<T> {
  const ran = await runToEnd([...words, '--state', join(stage.folder, 'bot'), '--json']);
  return JSON.parse(ran.out) as T;
}

describe('a revoked key', { timeout: 300_000 + SECONDS * 1_000 }, () => {
  it('with an open position: at most a probe every second, no open, an alarm, and trading again by itself', async () => {
    const stage = new Stage({ params: { grid: true } });
    const bot = await stage.startBot();
    await stage.untilHeld(1);
    await bot.until('a resting order', () => bot.logged('order-placed').length >= 2);
    await sleep(1_000);
    const [before, opens] = [await refused(stage), stage.orders('OPEN').length];
    await stage.operator('revoke-key', ACCOUNT);
    await bot.untilLogged('unauthorized');
    await sleep(SECONDS * 1_000);
    const during = (await refused(stage)) - before;
    console.info(`revoked key with a position: ${during} refused requests in ${SECONDS} s`);
    // Three refusals, what was on its way, and a probe after one second and then every two.
    expect(during).toBeGreaterThanOrEqual(3 + SECONDS / 2 - 2);
    expect(during).toBeLessThanOrEqual(SECONDS / 2 + 10);
    expect(bot.logged('unauthorized')).toMatchObject([
      { level: 'error', cause: 'unauthorized', hint: expect.stringMatching(/revoked.*clock/) },
    ]);
    const status = await command<StatusAnswer>(stage, 'status');
    const halt = status.halts.find(({ code }) => code === 'unauthorized');
    expect(halt).toMatchObject({ scope: 'bot', ends: 'by itself', detail: expect.stringMatching(/revoked/) });
    expect(status.troubles).toMatchObject([{ of: 'signed', cause: 'unauthorized', says: expect.stringContaining('40002') }]);
    expect(status.time - status.venueAnsweredAt!).toBeLessThan(5_000);
    expect(status.time - status.readAt!.positions).toBeGreaterThan(SECONDS * 1_000 - 2_000);
    expect(status.time - status.readAt!.prices).toBeLessThan(5_000);
    const shown = await runToEnd(['status', '--state', join(stage.folder, 'bot')]);
    const text = shown.out.replace(/\s+/g, ' ');
    expect(text).toMatch(/venue http\S+; last answered \d\.\d s ago/);
    expect(text).toMatch(/trouble signed requests: unauthorized, \d+ in a row since \d+ s ago: status \d+ code 40002 Unauthorized/);
    expect(text).toMatch(/positions \(read \d+ s ago\), prices \(read \d\.\d s ago\)/);

    expect(stage.orders('OPEN').length).toBe(opens);
    await stage.operator('restore-key', ACCOUNT);
    await bot.until('the halt ends', () => bot.logged('halt-lifted').some(({ code }) => code === 'unauthorized'));
    expect(bot.logged('venue-well')).toMatchObject([{ requests: 'signed' }]);

    // What else may stand between: told apart, by status and words.
    await stage.faults([{ fault: 'html', endpoints: 'reads', status: 502 }]);
    await bot.until('the page is told', () => bot.logged('venue-trouble').some(({ cause }) => cause === 'gateway-page'));
    const behind = await command<StatusAnswer>(stage, 'status');
    expect(behind.troubles!.map(({ of, cause, status: http }) => [of, cause, http])).toEqual([
      ['signed', 'gateway-page', 502],
      ['public', 'gateway-page', 502],
    ]);
    expect(behind.troubles![0]!.says).not.toMatch(/[<>]/);
    await stage.faults([{ fault: 'status', endpoints: 'reads', status: 503 }]);
    await bot.until('it is told', () => bot.logged('venue-trouble').some(({ cause }) => cause === 'unavailable'));
    await stage.end();
  });

  it('with nothing open: the probes become rarer', async () => {
    const stage = new Stage({
      config: { strategies: [{ file: join(process.cwd(), 'test/e2e/strategies/idle.ts'), symbols: ['BTCUSDT'] }] },
    });
    const bot = await stage.startBot();
    await sleep(500);
    await stage.operator('revoke-key', ACCOUNT);
    await bot.untilLogged('unauthorized');
    await sleep(SECONDS * 1_000);
    const count = await refused(stage);
    console.info(`revoked key with nothing open: ${count} refused requests in ${SECONDS} s`);
    // Probes after 1, 2, 4, 8, … seconds.
    expect(count).toBeLessThanOrEqual(7 + Math.log2(SECONDS));
    await stage.operator('restore-key', ACCOUNT);
    await bot.until('the halt ends', () => bot.logged('halt-lifted').length > 0);
    await stage.end();
  });

  it('a kill without the key closes everything as soon as the key works, and its halt stays', async () => {
    const stage = new Stage({ params: { grid: true } });
    const bot = await stage.startBot();
    await stage.untilHeld(1);
    await bot.until('a resting order', () => bot.logged('order-placed').length >= 2);
    await stage.operator('revoke-key', ACCOUNT);
    await bot.untilLogged('unauthorized');
    const killed = await command<ActAnswer>(stage, 'kill', '--wait', '1');
    expect(killed.isDone).toBe(false);
    await sleep(7_000);
    const writes = [...stage.requests('E12'), ...stage.requests('E15')].filter(({ code }) => code === '40002');
    // Exits are the probes: one every two seconds, not one for each attempt of the kill.
    expect(writes.length).toBeGreaterThanOrEqual(2);
    expect(writes.length).toBeLessThanOrEqual(7);
    const restored = performance.now();
    await stage.operator('restore-key', ACCOUNT);
    await bot.until('flat', () => bot.logged('halt-lifted').some(({ code }) => code === 'flatten'));
    console.info(`flat ${Math.round(performance.now() - restored)} ms after the key worked again`);
    expect(bot.logged('fill').some(({ effect }) => effect === 'CLOSE')).toBe(true);
    const opens = stage.orders('OPEN').length;
    await bot.until('the key is taken', () => bot.logged('halt-lifted').some(({ code }) => code === 'unauthorized'));
    await sleep(1_500);
    expect(stage.orders('OPEN').length, 'the halt of a person stands').toBe(opens);
    const status = await command<StatusAnswer>(stage, 'status');
    expect(status.halts.map(({ code }) => code)).toEqual(['kill']);
    await stage.end();
  });

  it('at a start with something open it is asked for every two seconds, not given up, and the bot goes on when it works', async () => {
    const stage = new Stage({ params: { grid: true } });
    await (await stage.startBot()).until('a resting order', () => stage.bot.logged('order-placed').length >= 2);
    await stage.untilHeld(1);
    await stage.bot.kill('SIGKILL');
    await stage.operator('revoke-key', ACCOUNT);
    const before = await refused(stage);
    const bot = stage.launchBot();
    await bot.untilLogged('unauthorized');
    const killed = await command<ActAnswer>(stage, 'kill', '--wait', '1');
    expect(killed.isDone).toBe(false);
    // Longer than it takes to give up where nothing is open.
    await sleep(Math.max(SECONDS, 20) * 1_000);
    const during = (await refused(stage)) - before;
    console.info(`a start without the key: ${during} refused requests in ${Math.max(SECONDS, 20)} s`);
    expect(during).toBeLessThanOrEqual(Math.max(SECONDS, 20) / 2 + 12);
    expect([bot.isRunning, bot.logged('armed')]).toEqual([true, []]);
    await stage.operator('restore-key', ACCOUNT);
    await bot.until('flat', () => bot.logged('halt-lifted').some(({ code }) => code === 'flatten'));
    expect(bot.logged('fill').some(({ effect }) => effect === 'CLOSE')).toBe(true);
    await stage.end();
  });
});
