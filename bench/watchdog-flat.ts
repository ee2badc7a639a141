/**
 * A run of `npm run watchdogs` that closes positions: a bot with a position falls silent, and may live again at any moment. Promised: the
 * account ends with what others hold, or with what the watchdog says is left; no leg turns; nothing is closed twice; what bot and exchange
 * hold is the same afterwards.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../src/base/random.ts';
import { CLOSE, OPEN } from '../src/domain/codes.ts';
import { isWatchdogSeq, parseClientId } from '../src/domain/orders/command.ts';
import { readLedger } from '../src/edge/file/ledger/read-ledger.ts';
import type { StatusAnswer } from '../src/control/answers.ts';
import { runToEnd } from '../test/e2e/process.ts';
import { Watched } from '../test/support/monitor/watched.ts';

const ENDS = ['SIGKILL', 'SIGSTOP', 'blocked', 'SIGKILL, started again', 'SIGSTOP, goes on', 'SIGSTOP, goes on'] as const;
const TROUBLES = ['none', 'closes lost', 'closes late', '429', 'exchange away', 'watchdog killed', 'stale lists'] as const;
const HORIZON_MS = 4_000;
const LAG_MS = 1_000;

export interface FlatResult {
  readonly what: string;
  /** From the moment at which the bot fell silent to the end of the last close of the watchdog; NaN if there was none, or trouble. */
  readonly tookMs: number;
  readonly times: string;
  readonly findings: readonly string[];
}

export async function flatRun(seed: number, random: Random, silenceMs: number): Promise<FlatResult> {
  const end = ENDS[random.below(ENDS.length)]!;
  const trouble = TROUBLES[random.below(TROUBLES.length)]!;
  // A person may hold a part of the leg, and may come to it later.
  const [foreign, later] = [[0, 3, 7][random.below(3)]!, random.below(4) === 0 ? 4 : 0];
  const timings = { silenceMs, flattenAfterMs: silenceMs + 1_000, horizonMs: HORIZON_MS };
  const watched = await Watched.open({ seed, ...timings, config: { listLagMs: LAG_MS } });
  try {
    if (foreign > 0) {
      await watched.stage.byHand('BTCUSDT', 'LONG', 'OPEN', sizeOf(foreign));
      await watched.bot.untilLogged('external');
      await sleep(1_000);
    }
    return await ended(watched, { end, trouble, foreign, later, random });
  } catch (error) {
    const { status, watchdog } = watched;
    throw new Error(`${end}, ${trouble}: ${String(error)}\nits status ${JSON.stringify(status)}\n${watchdog?.out}${watchdog?.err}`, {
      cause: error,
    });
  } finally {
    await watched.close();
  }
}

interface Plan {
  readonly end: (typeof ENDS)[number];
  readonly trouble: (typeof TROUBLES)[number];
  readonly foreign: number;
  readonly later: number;
  readonly random: Random;
}

async function ended(watched: Watched, { end, trouble, foreign, later, random }: Plan): Promise<FlatResult> {
  const { bot, stage } = watched;
  await sleep(random.below(1_000));
  let at = Date.now();
  if (end === 'blocked') {
    watched.blockLoop();
    at = await watched.blockedSince();
  } else bot.send(end.startsWith('SIGSTOP') ? 'SIGSTOP' : 'SIGKILL');
  await meddle(watched, trouble, random);
  await watched.untilState('acting', 'done');
  if (later > 0) await stage.byHand('BTCUSDT', 'LONG', 'OPEN', sizeOf(later));
  const others = foreign + later;
  const doesLive = end.endsWith('again') || end.endsWith('on');
  if (doesLive) {
    // Around the first close, before or after it. The bot closes too from its first moment on.
    await sleep(random.below(3_500));
    writeFileSync(watched.exit, String(others));
    if (end.endsWith('on')) bot.send('SIGCONT');
    else stage.launchBot();
  }
  await watched.until('only what others hold is left, or what is said', () => watched.held().long <= others || isSaid(watched, others));
  if (!doesLive) await watched.untilState('done');
  // What is still on its way must show.
  await sleep(HORIZON_MS + 2 * LAG_MS);
  const findings: string[] = [];
  const { long, short } = watched.held();
  if (short !== 0) findings.push(`${short} lots SHORT`);
  if (long < others) findings.push(`${others - long} lots of others were closed`);
  if (long > others && !isSaid(watched, others)) findings.push(`${long - others} own lots are left, and nobody says so`);
  if (watched.live(OPEN).length > 0) findings.push(`${watched.live(OPEN).length} opens live`);
  const lastClose = Math.max(...closesOf(watched).map(({ time }) => time));
  const times = `${closesOf(watched).length} closes by the watchdog, ${watched.refusedCloses} refused`;
  if (!doesLive) {
    if (end === 'SIGSTOP') bot.send('SIGCONT');
    if (end === 'blocked') watched.unblockLoop();
    if (end === 'SIGKILL') stage.launchBot();
  }
  await agree(watched, others, findings);
  const isTimed = trouble === 'none' && !doesLive;
  return { what: `${end}, ${trouble}, others ${others}`, tookMs: isTimed ? lastClose - at : Number.NaN, times, findings };
}

/** The bot that lives again knows what is held, has the closes as own orders, and took none of them for a stranger's. */
async function agree(watched: Watched, others: number, findings: string[]): Promise<void> {
  const { bot } = watched.stage;
  await bot.untilLogged('armed');
  let lots = Number.NaN;
  for (let tries = 0; tries < 30 && lots !== watched.held().long; tries++) {
    await sleep(500);
    const { out } = await runToEnd(['status', '--json', '--state', watched.folder]);
    const status = JSON.parse(out === '' ? '{}' : out) as Partial<StatusAnswer>;
    const long = status.positions?.find(({ side }) => side === 'LONG')?.size ?? '0';
    lots = Math.round(Number(long) * 1_000);
  }
  if (lots !== watched.held().long) findings.push(`the bot believes ${lots} lots, and holds ${watched.held().long}`);
  const strange = bot.logged('external').filter(({ kind }) => kind === 'position').length;
  if (strange > 0 && others === 0) findings.push(`${strange} changes that the bot cannot explain`);
  for (const event of ['journal-rollback', 'split-brain', 'journal-lost', 'duplicate-order', 'late-landing', 'unexpected-order'])
    if (bot.logged(event).length > 0) findings.push(event);
  const isHeld = existsSync(`${watched.folder}.watchdog-closes`) || existsSync(`${watched.folder}.watchdog-closes.taken`);
  if (isHeld) findings.push('its closes were not taken over');
  const fills = bot.logged('fill').filter(({ reason }) => String(reason).startsWith('closed by the watchdog'));
  const taken = fills.reduce((sum, { size }) => sum + Math.round(Number(size) * 1_000), 0);
  const closed = closesOf(watched).reduce((sum, { size }) => sum + size, 0);
  if (taken !== closed) findings.push(`the watchdog closed ${closed} lots, and the journal has ${taken}`);
}

function closesOf(watched: Watched): readonly { readonly time: number; readonly size: number }[] {
  const { orders } = readLedger(join(watched.stage.folder, 'exchange'));
  const own = new Set(
    orders
      .filter(({ order }) => order['effect'] === CLOSE && isWatchdogSeq(parseClientId('stage', String(order['clientOid'])).seq))
      .map(({ order }) => order.no),
  );
  return watched.fills.filter(({ orderNo }) => own.has(orderNo));
}

function sizeOf(lots: number): string {
  return (lots / 1_000).toFixed(3);
}

/** True if the watchdog says what is left of the leg, more than others hold. */
function isSaid(watched: Watched, others: number): boolean {
  const { status } = watched;
  const { long } = watched.held();
  return (
    status?.state === 'done' && long > others && status.positions.some((text) => text.startsWith(`BTCUSDT LONG ${sizeOf(long)} stays`))
  );
}

async function meddle(watched: Watched, trouble: (typeof TROUBLES)[number], random: Random): Promise<void> {
  const { stage } = watched;
  const closing = async (): Promise<void> =>
    watched.until('it closes', () => watched.watchdog!.logged('watchdog-closes-position').length > 0);
  switch (trouble) {
    case 'none':
      return;
    case 'closes lost':
      return stage.faults([
        { fault: 'drop', phase: random.below(2) === 0 ? 'after' : 'before', endpoints: ['E12'], count: 1 + random.below(2) },
      ]);
    case 'closes late':
      return stage.faults([{ fault: 'late', endpoints: ['E12'], ms: 500 + random.below(2_000), count: 1 }]);
    case '429':
      return stage.faults([
        { fault: 'status', phase: 'before', status: 429, endpoints: ['E12', 'E15', 'E17', 'E18', 'E19'], count: 1 + random.below(12) },
      ]);
    case 'stale lists':
      return stage.faults([{ fault: 'stale', endpoints: ['E17', 'E18', 'E19', 'E20'], ms: 800, probability: 0.3 }]);
    case 'exchange away':
      await watched.untilState('acting', 'done');
      await sleep(random.below(1_500));
      stage.exchange.send('SIGSTOP');
      await sleep(random.below(3_000));
      stage.exchange.send('SIGCONT');
      return;
    case 'watchdog killed':
      await closing();
      await sleep(random.below(100));
      await watched.watchdog!.kill('SIGKILL');
      watched.launchWatchdog();
  }
}
