/**
 * Random deaths and pauses of a bot beside its watchdog and its exchange, each a real process, judged by the exchange's ledger. Promised: its opens
 * are cancelled within `silenceMs` and two seconds, closes stay, no order is cancelled twice, and a bot that wakes up opens nothing.
 * With `flatten` its positions are closed too (watchdog-flat.ts).
 * `npm run watchdogs -- [runs] [first seed] [silence in ms] [at the same time] [cancel | flatten]`. Ends with 1 if a run breaks a promise other than the time.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../src/base/random.ts';
import { CLOSE, OPEN } from '../src/domain/codes.ts';
import { cleanUp } from '../test/e2e/process.ts';
import { quantile } from '../test/support/latency/exit-latency.ts';
import { Watched } from '../test/support/monitor/watched.ts';
import { flatRun } from './watchdog-flat.ts';

const [numbers, policy = 'cancel'] = [process.argv.slice(2, 6), process.argv[6]];
const [runs = 20, first = 1, silenceMs = 4_000, abreast = 2] = numbers.map(Number);
if (policy !== 'cancel' && policy !== 'flatten') throw new Error(`expected cancel or flatten, found ${policy}`);

/** How the bot falls silent, and what happens to the others meanwhile. */
const ENDS = ['SIGKILL', 'SIGSTOP', 'blocked', 'lost store'] as const;
const TROUBLES = ['none', 'none', 'answers lost', '429', 'exchange away', 'watchdog killed'] as const;

/** How long processes waited for a processor (fields of schedstat of Linux): time that a busy machine takes, and no program can give back. */
class Waiting {
  readonly #watched: Watched;
  readonly #before: readonly number[];

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#before = this.#waited();
  }

  /** Milliseconds that the threads of watchdog and exchange waited since the beginning. */
  get since(): string {
    const [watchdog, exchange] = this.#waited().map((ms, k) => Math.round(ms - this.#before[k]!));
    return `processor awaited: watchdog ${watchdog} ms, exchange ${exchange} ms`;
  }

  #waited(): number[] {
    return [this.#watched.watchdog, this.#watched.stage.exchange].map((program) => {
      const tasks = `/proc/${program!.pid}/task`;
      // The main thread: it does what is waited for.
      return Number(readFileSync(`${tasks}/${program!.pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
    });
  }
}

/** What the watchdog did when, by its log, in milliseconds since the bot fell silent. */
function timelineOf({ watchdog }: Watched, at: number): string {
  return watchdog!.log
    .filter(({ event }) => event.startsWith('watchdog-'))
    .map(({ event, time, silentMs = '' }) => `${event.slice(9)} ${time - at} ${silentMs}`.trim())
    .join(', ');
}

interface Result {
  readonly what: string;
  /** From the moment at which the bot fell silent to the end of its last open, if nothing else was wrong; else NaN. */
  readonly tookMs: number;
  /** Where that time went. */
  readonly times: string;
  readonly findings: readonly string[];
}

async function run(seed: number): Promise<Result> {
  const random = new Random(seed);
  if (policy === 'flatten') return flatRun(seed, random, silenceMs);
  const end = ENDS[random.below(ENDS.length)]!;
  const trouble = TROUBLES[random.below(TROUBLES.length)]!;
  const watched = await Watched.open({ seed, silenceMs, horizonMs: 2_000 });
  try {
    return await ended(watched, end, trouble, random);
  } catch (error) {
    const { status, watchdog } = watched;
    throw new Error(`${end}, ${trouble}: ${String(error)}\nits status ${JSON.stringify(status)}\n${watchdog?.out}${watchdog?.err}`, {
      cause: error,
    });
  } finally {
    await watched.close();
  }
}

async function ended(watched: Watched, end: (typeof ENDS)[number], trouble: (typeof TROUBLES)[number], random: Random): Promise<Result> {
  const { bot, stage } = watched;
  const closes = watched.live(CLOSE).map(({ order }) => order.no);
  await sleep(random.below(1_000));
  const waited = new Waiting(watched);
  let at = Date.now();
  if (end === 'blocked') {
    watched.blockLoop();
    at = await watched.blockedSince();
  } else if (end === 'SIGSTOP') bot.send('SIGSTOP');
  else {
    if (end === 'lost store') watched.loseStore();
    bot.send('SIGKILL');
  }
  if (trouble !== 'none') await meddle(watched, trouble, random);
  await watched.until('no open lives', () => watched.live(OPEN).length === 0);
  const times = waited.since;
  await watched.untilState('done');
  const orders = watched.orders(OPEN);
  const findings: string[] = [];
  if (watched.live(OPEN).length > 0) findings.push(`${watched.live(OPEN).length} opens live`);
  if (watched.live(CLOSE).length < closes.length) findings.push('a close was cancelled');
  const requests = stage
    .requests('E15')
    .concat(stage.requests('E16'))
    .filter(({ code }) => code === '00000');
  const lastEnd = Math.max(...orders.map(({ endedBy }) => watched.timeOf(endedBy)));
  const told = watched.status?.cancelled ?? 0;
  if (trouble === 'none' && requests.length !== told) findings.push(`${requests.length} cancels, ${told} told`);
  const last = watched.lastRequest();
  if (end === 'SIGSTOP' || end === 'blocked') {
    if (end === 'SIGSTOP') bot.send('SIGCONT');
    watched.unblockLoop();
    await bot.untilLogged('halt-request');
    await bot.until('the halt is in effect', () => bot.logged('opens-halted').length > 0);
    await sleep(500);
    if (watched.openedAfter(last) > 0) findings.push(`${watched.openedAfter(last)} opens after the fence`);
  }
  return {
    what: `${end}, ${trouble}`,
    tookMs: trouble === 'none' ? lastEnd - at : Number.NaN,
    times: `${timelineOf(watched, at)}; ${times}`,
    findings,
  };
}

async function meddle(watched: Watched, trouble: Exclude<(typeof TROUBLES)[number], 'none'>, random: Random): Promise<void> {
  const { stage } = watched;
  switch (trouble) {
    case 'answers lost':
      return stage.faults([{ fault: 'drop', endpoints: ['E15', 'E16'], count: 1 + random.below(4) }]);
    case '429':
      return stage.faults([
        { fault: 'status', phase: 'before', status: 429, endpoints: ['E15', 'E16', 'E18'], count: 1 + random.below(12) },
      ]);
    case 'exchange away':
      await watched.untilState('acting', 'done');
      stage.exchange.send('SIGSTOP');
      await sleep(random.below(4_000));
      stage.exchange.send('SIGCONT');
      return;
    case 'watchdog killed':
      await watched.untilState('acting', 'done');
      await sleep(random.below(200));
      await watched.watchdog!.kill('SIGKILL');
      watched.launchWatchdog();
  }
}

const results: Result[] = [];
let next = first;
const worker = async (): Promise<void> => {
  while (next < first + runs) {
    const seed = next++;
    const result = await run(seed).catch((error: unknown) => ({
      what: 'failed',
      tookMs: Number.NaN,
      times: '',
      findings: [String(error)],
    }));
    results.push(result);
    const took = Number.isNaN(result.tookMs) ? '' : ` ${result.tookMs} ms (${result.times})`;
    const times = took === '' && result.times !== '' ? ` (${result.times})` : '';
    console.log(`seed ${seed}: ${result.what}${took}${times}${result.findings.map((one) => `; ${one}`).join('')}`);
  }
};
await Promise.all(Array.from({ length: abreast }, worker));
await cleanUp();
const times = results.map(({ tookMs }) => tookMs).filter((ms) => !Number.isNaN(ms));
const broken = results.filter(({ findings }) => findings.length > 0);
const late = times.filter((ms) => ms > silenceMs + 2_000).length;
console.log(`${results.length} runs, ${broken.length} broke a promise; silence ${silenceMs} ms`);
console.log(
  `${policy === 'flatten' ? 'last close' : 'opens gone'} after ms: p50 ${quantile(times, 0.5)}, p95 ${quantile(times, 0.95)}, most ${Math.max(...times)}; ${late} of ${times.length} later than silence + 2 s`,
);
process.exitCode = broken.length > 0 ? 1 : 0;
