/** The `start` command: runs a paper exchange and a bot on it in one process, over real HTTP with signed requests. */
import { Secret } from '../base/secret.ts';
import { openBot } from './bot/open-bot.ts';
import { fittingPreflight } from './bot/slower-trades.ts';
import { announcement } from './exchange/announcement.ts';
import { openExchange, untilMarketOpens } from './exchange/exchange.ts';
import { monitorOf } from './bot/monitor-child.ts';
import type { Keeper } from './bot/kept-process.ts';
import type { RunningBot } from './bot/life/running-bot.ts';
import { webhooksOf } from './bot/webhooks-child.ts';
import { supervise } from './bot/supervise.ts';
import { logFor } from './setup/bot-log.ts';
import { guardStrategies } from './guard/guard.ts';
import { marketInstruments, speedOf } from './market/served-market.ts';
import type { Io, StartOptions } from './setup/options.ts';
import { untilStopped } from './setup/signals.ts';

/** Time that the start waits for the address of the dashboard, to print it first. */
const URL_MS = 5_000;

export async function runStart({ exchange: options, config, maySlow }: StartOptions, io: Io): Promise<number> {
  const asked = { ...config, barSpeed: speedOf(options) };
  const account = options.accounts[0];
  if (account === undefined) throw new RangeError('start needs an account');
  const credentials = { key: new Secret(account.key), secret: new Secret(account.secret), passphrase: new Secret(account.passphrase) };
  guardStrategies(asked, { isLive: true, isJson: !io.isTty });
  const market = marketInstruments(options);
  const { preflight, config: given, note } = await fittingPreflight(asked, market, maySlow);
  const log = logFor({ ...given, credentials }, io);
  const stopped = untilStopped();
  const exchange = await openExchange(options, log);
  const monitor = monitorOf(given, log, 'start');
  let webhooks: Keeper | null = null;
  try {
    const url = (await monitor?.url(URL_MS)) ?? '';
    const dashboard = url === '' ? '' : `Dashboard: ${url}   (open it with: tickwright open)\n`;
    const banner = `${dashboard}${announcement(options, exchange)}\n${note === '' ? '' : `${note}\n`}Ctrl-C stops cleanly; started again, both continue.\n`;
    // Without a terminal stdout has only log lines; on a terminal the banner is printed above the status line.
    if (io.isTty) io.live.write(banner);
    else io.stderr.write(banner);
    await untilMarketOpens(exchange);
    const onExchange = { ...given, credentials, venue: { ...given.venue, baseUrl: exchange.url } };
    const open = (): Promise<RunningBot> => openBot(onExchange, preflight, log, true);
    const bot = await open();
    webhooks = webhooksOf(given, log);
    const failed = exchange.failed.then((error) => {
      log.error('exchange-failed', { error });
      return 1;
    });
    return await supervise(bot, open, { config: onExchange, io, log, ended: Promise.race([stopped.then(() => 0), failed]) });
  } finally {
    monitor?.stop();
    webhooks?.stop();
    await exchange.close();
  }
}
