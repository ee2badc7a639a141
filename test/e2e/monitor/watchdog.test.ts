/** The watchdog as a process beside bot and exchange: what it cancels, what it leaves, and what a bot that wakes up does. Judged by the ledger. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { CLOSE, OPEN } from '../../../src/domain/codes.ts';
import { cleanUp, freshFolder, launch, runToEnd, DEMO, STOPPED } from '../process.ts';
import { OPENS, Watched } from '../../support/monitor/watched.ts';

afterEach(cleanUp);

/** Short, so that a test does not take long, and longer than a busy machine keeps a bot from its turn. */
const SILENCE_MS = 6_000;
/** Longer than any start on a busy machine. */
const NEVER_MS = 900_000;

/** Waits until no own opening order lives and two complete lists have shown it. */
async function cleared(watched: Watched): Promise<void> {
  await watched.untilState('done');
  expect(watched.live(OPEN), watched.watchdog?.out ?? '').toEqual([]);
  expect(watched.status).toMatchObject({ left: 0, problem: '' });
}

it('opens of a stopped process are cancelled and closes stay; when it goes on it opens nothing before a resume', async () => {
  const watched = await Watched.open({ silenceMs: SILENCE_MS });
  const closes = watched.live(CLOSE).map(({ order }) => order.no);
  watched.bot.send('SIGSTOP');
  await cleared(watched);
  const asked = await runToEnd(['status', '--state', watched.folder]);
  expect((asked.out + asked.err).replaceAll(/\s+/g, ' ')).toMatch(
    /gives no answer; .*recorded: halt by watchdog at .*the watchdog acts for it: it was done at .* UTC\. It cancelled \d+ opening orders/,
  );
  expect(watched.live(CLOSE).map(({ order }) => order.no)).toEqual(closes);
  expect(watched.status!.cancelled).toBe(OPENS + 1);
  const last = watched.lastRequest();
  watched.bot.send('SIGCONT');
  await watched.bot.untilLogged('halt-request');
  await watched.bot.until('the halt is in effect', () => watched.bot.logged('opens-halted').length > 0);
  expect(watched.bot.logged('halt-request')).toMatchObject([{ by: 'watchdog' }]);
  // The strategy replaces what is missing with each quote. Its trigger order is in no list: the bot cancels it again, to learn of its end.
  await watched.bot.until('it knows of the cancels', () => watched.bot.logged('order-cancelled').length >= OPENS);
  expect(watched.openedAfter(last)).toBe(0);
  expect((await watched.resume()).out).toContain('ended: bot operator');
  await watched.untilState('watching');
  await watched.until('it opens again, the trigger order too', () => watched.openedAfter(last) > OPENS);
  // Which orders each of its cancels ended: none twice.
  const ended = watched.watchdog!.logged('watchdog-cancelled').map(({ clientId }) => clientId as string);
  expect([ended.length, new Set(ended).size]).toEqual([OPENS + 1, OPENS + 1]);
  // The same process, a second time. What it opened after the resume was left alone.
  await watched.untilResting();
  expect(watched.openedAfter(last)).toBe(OPENS + 1);
  watched.bot.send('SIGSTOP');
  await cleared(watched);
  watched.bot.send('SIGCONT');
  await watched.bot.until('it takes the second request', () => watched.bot.logged('halt-request').length === 2);
  await watched.until('a person can resume it', () => watched.bot.logged('opens-halted').length === 2);
  expect((await watched.resume()).out).toContain('ended: bot operator');
  await watched.untilState('watching');
  await watched.bot.kill('SIGTERM');
  await watched.untilState('waiting');
  expect(watched.status!.acted).toBe(2);
});

it('a blocked event loop is noticed; with watchdog.resume restart the process ends, and the next goes on', async () => {
  const watched = await Watched.open({ silenceMs: SILENCE_MS, resume: 'restart' });
  watched.blockLoop();
  await cleared(watched);
  const last = watched.lastRequest();
  watched.unblockLoop();
  await watched.bot.ended;
  expect([watched.bot.code, watched.bot.logged('fenced')]).toMatchObject([75, [{ by: 'watchdog', isPast: false }]]);
  expect(watched.openedAfter(last)).toBe(0);
  const next = watched.stage.launchBot();
  await next.untilLogged('fenced');
  expect(next.logged('fenced')).toMatchObject([{ isPast: true }]);
  await watched.until('it opens again', () => watched.openedAfter(last) >= OPENS);
  await watched.untilState('watching');
});

it('after a kill -9 and the loss of the store the opens are cancelled', async () => {
  const watched = await Watched.open({ silenceMs: SILENCE_MS });
  watched.loseStore();
  // It notices by itself and ends; a kill at the same moment must change nothing.
  await watched.bot.kill('SIGKILL');
  await cleared(watched);
  expect(existsSync(watched.folder)).toBe(false);
});

it('a watchdog that is killed amid its work is followed by another, which knows the trigger order that no list shows', async () => {
  const watched = await Watched.open({ silenceMs: SILENCE_MS });
  watched.bot.send('SIGSTOP');
  await watched.stage.faults([{ fault: 'status', phase: 'before', status: 429, endpoints: ['E15', 'E16', 'E18'], retryAfter: '60' }]);
  await watched.untilState('acting');
  await watched.until('it is refused', () => watched.status?.problem !== '');
  expect(watched.live(OPEN).length).toBe(OPENS + 1);
  await watched.watchdog!.kill('SIGKILL');
  await watched.stage.faults([]);
  watched.launchWatchdog();
  await cleared(watched);
});

it('a watchdog that is killed beside a blocked loop is followed by another', async () => {
  const watched = await Watched.open({ silenceMs: SILENCE_MS });
  await watched.stage.faults([{ fault: 'status', phase: 'before', status: 429, endpoints: ['E15', 'E16', 'E18'], retryAfter: '60' }]);
  watched.blockLoop();
  await watched.untilState('acting');
  await watched.watchdog!.kill('SIGKILL');
  await watched.stage.faults([]);
  watched.launchWatchdog();
  await cleared(watched);
});

it('a watchdog that comes when the bot is dead already knows its trigger order from the disk', async () => {
  const watched = await Watched.open({ silenceMs: SILENCE_MS });
  await watched.watchdog!.kill('SIGKILL');
  await watched.bot.kill('SIGKILL');
  rmSync(`${watched.folder}.watchdog.json`);
  watched.loseStore();
  watched.launchWatchdog();
  await cleared(watched);
  expect(watched.status!.cancelled).toBe(OPENS + 1);
});

it('cancels whose answers are lost are repeated and read, and the exchange may be away meanwhile', async () => {
  const watched = await Watched.open({ silenceMs: SILENCE_MS });
  await watched.stage.faults([{ fault: 'drop', endpoints: ['E15', 'E16'], count: 2 }]);
  watched.bot.send('SIGSTOP');
  await watched.untilState('acting');
  watched.stage.exchange.send('SIGSTOP');
  const before = watched.status!.time;
  while (watched.status!.time < before + 4_000) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(watched.status!.state).toBe('acting');
  watched.stage.exchange.send('SIGCONT');
  await cleared(watched);
});

it('a clean stop and a restart within watchdog.silenceMs are no reason to act, and a second watchdog is refused', async () => {
  const watched = await Watched.open({ silenceMs: NEVER_MS });
  const second = launch(['watchdog', '--config', `${watched.stage.folder}/bot.yaml`], DEMO);
  await second.ended;
  expect([second.code, second.err]).toEqual([75, expect.stringContaining('another watchdog (process')]);
  // The environment of a unit may have started it: what runs counts, not what the configuration says.
  const doctor = await runToEnd(['doctor', '--config', `${watched.stage.folder}/bot.yaml`, '--set', 'watchdog.start=off'], DEMO);
  expect(doctor.out).toMatch(/watchdog +runs; acts after/);
  await watched.bot.kill('SIGKILL');
  await watched.stage.launchBot().untilLogged('armed');
  await watched.until('it is heard', () => watched.status?.state === 'watching' && watched.status.silentMs < 5_000);
  expect(watched.status!.acted).toBe(0);
  await watched.bot.kill('SIGTERM');
  expect(STOPPED).toContain(watched.bot.code);
  await watched.untilState('waiting');
  expect([watched.status!.acted, existsSync(`${watched.folder}.watched.json`)]).toEqual([0, false]);
  await watched.watchdog!.kill('SIGTERM');
  expect(watched.watchdog!.code).toBe(0);
});

it('a watchdog whose key is refused says so before it matters', async () => {
  const credentials = join(freshFolder(), 'wrong.yaml');
  writeFileSync(credentials, 'key: "demo-key"\nsecret: "wrong"\npassphrase: "demo-pass"\n', { mode: 0o600 });
  const watchdog = { start: 'apart', silenceMs: NEVER_MS, credentials };
  const watched = await Watched.open({ silenceMs: NEVER_MS, config: { watchdog } });
  await watched.watchdog!.untilLogged('watchdog-unable');
  await watched.until('its status says so', () => watched.status!.problem === 'unauthorized');
  const doctor = await runToEnd(['doctor', '--config', join(watched.stage.folder, 'bot.yaml')], DEMO);
  expect(doctor.out).toContain('could cancel nothing now: unauthorized');
});

it('a watchdog that a bot started ends when the bot is started with other settings, and another takes its place', async () => {
  const watched = await Watched.open({ silenceMs: NEVER_MS, start: 'bot' });
  const { pid } = watched.status!;
  await watched.bot.kill('SIGKILL');
  await watched.stage.launchBot().untilLogged('armed');
  await watched.until('it goes on', () => watched.status?.pid === pid && watched.status.silentMs < 5_000);
  await watched.bot.kill('SIGKILL');
  const file = `${watched.stage.folder}/bot.yaml`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(String(NEVER_MS), String(NEVER_MS + 1)));
  await watched.stage.launchBot().untilLogged('armed');
  await watched.until('another watches', () => watched.status!.pid !== pid && watched.status!.state === 'watching');
  await watched.bot.kill('SIGTERM');
});

it('with watchdog.start bot a bot starts its watchdog, which outlives a kill -9 of it and ends when its work is done, or with a clean stop', async () => {
  const watched = await Watched.open({ silenceMs: SILENCE_MS, start: 'bot' });
  const isGone = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  };
  const { pid } = watched.status!;
  expect(pid).not.toBe(watched.bot.pid);
  await watched.bot.kill('SIGKILL');
  await cleared(watched);
  await watched.until('it has ended', () => isGone(pid!));
  const status = (await runToEnd(['status', '--state', watched.folder])).out.replaceAll(/\s+/g, ' ');
  expect(status).toMatch(
    /open when last seen .*, before the watchdog acted.* watchdog it was done at .* UTC\. It cancelled \d+ opening orders/,
  );
  await watched.stage.launchBot().untilLogged('armed');
  await watched.untilState('watching');
  const next = watched.status!.pid;
  expect(next).not.toBe(pid);
  await watched.bot.kill('SIGTERM');
  await watched.until('it has ended', () => isGone(next!));
});

it('a watchdog of a bot that was killed ends when a person ends it, before it acts and amid its work; not while its bot lives', async () => {
  const watched = await Watched.open({ silenceMs: SILENCE_MS, start: 'bot' });
  const end = ['watchdog', '--end', '--config', join(watched.stage.folder, 'bot.yaml')];
  const lives = await runToEnd(end, DEMO);
  expect([lives.code, lives.err, watched.status!.state]).toEqual([75, expect.stringContaining('stop the bot'), 'watching']);
  await watched.stage.faults([{ fault: 'status', phase: 'before', status: 429, endpoints: ['E15', 'E16', 'E18'], retryAfter: '60' }]);
  await watched.bot.kill('SIGKILL');
  await watched.untilState('acting');
  const acting = await runToEnd(end, DEMO);
  expect([acting.code, acting.out]).toEqual([0, expect.stringContaining('it was not done')]);
  expect(readFileSync(`${watched.folder}.watchdog.log`, 'utf8')).toMatch(/watchdog-stopped.*"undone":/);
  await watched.stage.faults([]);
  await watched.stage.launchBot().untilLogged('armed');
  await watched.untilState('watching');
  await watched.bot.kill('SIGKILL');
  const idle = await runToEnd(end, DEMO);
  const said = `the watchdog of the bot in ${watched.folder} has ended; it had cancelled and closed nothing\n`;
  expect([idle.code, idle.out, watched.status]).toMatchObject([0, said, { pid: null, acted: 0 }]);
  expect((await runToEnd(['watchdog', '--end', '--state', watched.folder], DEMO)).out).toBe(
    `no watchdog of the bot in ${watched.folder} runs\n`,
  );
  // A wrong place has no watchdog either, and says nothing of the one that may run elsewhere.
  const wrong = await runToEnd(['watchdog', '--end', '--state', join(watched.stage.folder, 'elsewhere')], DEMO);
  expect([wrong.code, wrong.err]).toEqual([6, expect.stringContaining('no bot has run in')]);
});

it('positions are closed after watchdog.flattenAfterMs; a bot that goes on closes nothing twice', async () => {
  const config = { listLagMs: 1_000 };
  const watched = await Watched.open({ silenceMs: 3_000, flattenAfterMs: 4_000, config });
  // A person has a part of the leg. It stays.
  await watched.stage.byHand('BTCUSDT', 'LONG', 'OPEN', '0.007');
  await watched.bot.untilLogged('external');
  watched.bot.send('SIGSTOP');
  await watched.until('the watchdog has closed what is of the bot', () => watched.held().long === 7);
  // From its first moment on the bot closes too: it believes that it holds 27 lots.
  writeFileSync(watched.exit, '7');
  watched.bot.send('SIGCONT');
  await watched.bot.until('the close is its own', () => watched.bot.logged('fill').some(({ effect }) => effect === 'CLOSE'));
  expect(watched.bot.logged('fill').at(-1)).toMatchObject({ size: '0.020', after: '0.007', strategy: '' });
  expect([watched.held(), watched.refusedCloses]).toEqual([{ long: 7, short: 0 }, 0]);
  expect(watched.bot.logged('watchdog-closes')).toMatchObject([{ closes: 1 }]);
  expect(JSON.stringify(watched.bot.logged('opens-halted'))).toMatch(
    /watchdog cancelled \d opening orders: .*; closed BTCUSDT LONG 0\.020 /,
  );
  expect(watched.bot.logged('external')).toHaveLength(1);
  expect([existsSync(`${watched.folder}.watchdog-closes`), existsSync(`${watched.folder}.watchdog-closes.done`)]).toEqual([false, true]);
});
