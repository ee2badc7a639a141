/** Supervises a running bot until it is stopped: status line on a terminal, otherwise JSON logs, and a heartbeat. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import type { BotConfig } from '../../config/model.ts';
import { scheduleDaily } from '../../edge/cron/daily.ts';
import type { LogOutput } from '../../edge/log/pino-log.ts';
import { logFor } from '../setup/bot-log.ts';
import { monitorOf } from './monitor-child.ts';
import { webhooksOf } from './webhooks-child.ts';
import { openBot } from './open-bot.ts';
import { type RunningBot } from './life/running-bot.ts';
import { fittingPreflight } from './slower-trades.ts';
import { guardStrategies, onStrayPromises } from '../guard/guard.ts';
import { reportOrdersLeft } from './life/orders-left.ts';
import { instrumentsOf } from '../setup/instruments/instruments.ts';
import type { Io } from '../setup/options.ts';
import { untilStopped } from '../setup/signals.ts';
import { dailyOf, heartbeatOf, openText, statusOf } from './life/bot-status.ts';

/** Runs a bot until it is stopped. Returns the exit code. `maySlow`: trades may be polled more slowly where the limits ask for it. */
export async function runBot(asked: BotConfig, io: Io, maySlow = false): Promise<number> {
  guardStrategies(asked, { isLive: true, isJson: !io.isTty });
  const { preflight, config, note } = await fittingPreflight(asked, instrumentsOf(asked.instruments), maySlow);
  const log = logFor(config, io);
  if (note !== '') log.warn('polls-slowed', { detail: note });
  const stopped = untilStopped();
  const open = (): Promise<RunningBot> => openBot(config, preflight, log);
  const bot = await open();
  const beside = [monitorOf(config, log, 'run'), webhooksOf(config, log)];
  try {
    return await supervise(bot, open, { config, io, log, ended: stopped.then(() => 0) });
  } finally {
    for (const one of beside) one?.stop();
  }
}

/** First and longest interval of messages while the bot cannot reconcile with the venue: each is twice the one before. */
const NOT_READY_FIRST_MS = 5_000;
const NOT_READY_LONGEST_MS = 80_000;
const NOT_READY = 'no orders leave until positions, orders and the account were read; `tickwright doctor --config FILE` says what is wrong';

/** Interval of heartbeat lines. */
const HEARTBEAT_MS = 60_000;

export interface Supervision {
  readonly config: BotConfig;
  readonly io: Io;
  readonly log: LogOutput;
  /** Resolves when it is time to stop, with the exit code. */
  readonly ended: Promise<number>;
}

/** In place of an exit code: the bot was stopped to be opened again. */
const AGAIN = -1;

/**
 * Shows the bot's state until it is stopped or fails, then stops it. Returns the exit code. When an operator has changed which strategies
 * run, the bot is stopped and opened again.
 */
export async function supervise(bot: RunningBot, open: () => Promise<RunningBot>, supervision: Supervision): Promise<number> {
  const { log } = supervision;
  onStrayPromises((error) => log.error('strategy-error', { strategy: '', handler: 'a promise that nobody waits for', error }));
  for (let now = bot; ; now = await open()) {
    const code = await superviseOne(now, supervision);
    if (code !== AGAIN) return code;
    log.info('opening-again', { why: 'an operator has changed which strategies run' });
  }
}

async function superviseOne(bot: RunningBot, { config, io, log, ended }: Supervision): Promise<number> {
  const line = setInterval(() => io.live.update(statusOf(bot, log)), config.statusIntervalMs);
  const daily = scheduleDaily('0 0 * * *', 'daily-summary', () => log.info('daily-summary', dailyOf(bot, log)), log);
  let announced = false;
  const ready = setInterval(() => {
    if (announced || bot.kernel.phase !== 'armed') return;
    announced = true;
    log.info('ready', { bot: config.bot, symbols: bot.traded });
    process.send?.('ready');
  }, 50);
  let patience: NodeJS.Timeout;
  const complainAfter = (ms: number): void => {
    patience = setTimeout(() => {
      if (bot.kernel.phase !== 'reconciling') return;
      const { requests } = bot.counts();
      log.warn('venue-not-ready', { baseUrl: config.venue.baseUrl, requests, hint: NOT_READY });
      complainAfter(Math.min(NOT_READY_LONGEST_MS, 2 * ms));
    }, ms);
  };
  complainAfter(NOT_READY_FIRST_MS);
  const heartbeat = setInterval(() => log.info('heartbeat', heartbeatOf(bot, log)), HEARTBEAT_MS);
  const until = await Promise.race([bot.failed, ended, bot.changed.then(() => AGAIN)]);
  clearInterval(ready);
  clearTimeout(patience!);
  clearInterval(heartbeat);
  daily.stop();
  // One that is not opened again after all leaves its orders to the watchdog.
  const opensAgain = until === AGAIN;
  const left = await bot.stop({
    isAsked: until === exitCode.done,
    opensAgain,
    onLeft: (orders) => {
      if (!opensAgain) reportOrdersLeft(orders, log);
    },
  });
  clearInterval(line);
  const code = opensAgain ? await Promise.race([bot.failed, Promise.resolve(AGAIN)]) : until;
  if (code === AGAIN) return AGAIN;
  const { time, ...status } = statusOf(bot, log);
  io.live.update({ time, ...status });
  if (opensAgain) reportOrdersLeft(left, log);
  io.live.end();
  if (io.isTty) io.stderr.write(openText(status, left.length));
  const ends = code === exitCode.done && left.length > 0 ? exitCode.ordersLeft : code;
  log.info('stopped', { code: ends, ordersLeft: left.length, ...status });
  return ends;
}
