/** `watchdog`: watches a bot from a process of its own. */
import { json } from 'node:stream/consumers';
import { Failure } from '../../base/failure/failure.ts';
import { logFor } from '../../run/setup/bot-log.ts';
import { watchdogCredentials, watchdogSettings, type WatchdogSettings } from '../../run/watchdog/settings.ts';
import { watchdogStart } from '../../config/watchdog-start.ts';
import { configOf, type CliContext, type ConfigFlags } from '../shell/cli-context.ts';
import { unlocked } from '../keys/unlock.ts';
import { requireVenue } from './start/start-checks.ts';

interface WatchdogFlags extends ConfigFlags {
  readonly given?: true;
  readonly end?: true;
  readonly state?: string;
}

export async function runWatchdogOf(flags: WatchdogFlags, context: CliContext): Promise<void> {
  if (flags.end === true) return endOne(flags, context);
  const settings = flags.given === true ? ((await json(process.stdin)) as WatchdogSettings) : await settingsOf(flags, context);
  const credentials = watchdogCredentials(settings);
  const log = logFor({ logLevel: settings.logLevel, credentials }, context.io);
  const { runWatchdog } = await import('../../run/watchdog/run-watchdog.ts');
  context.exit(await runWatchdog(settings, log, process.env));
}

/** @throws Failure watchdog-lives; bot-missing where no bot has run */
async function endOne(flags: WatchdogFlags, context: CliContext): Promise<void> {
  const [{ isBotFolder }, { configFor, folderOf }] = await Promise.all([
    import('../../run/bot/outside/find-bot.ts'),
    import('./which-bot.ts'),
  ]);
  const folder = folderOf(flags, await configFor(flags, context), true);
  const { endWatchdog } = await import('../../run/watchdog/end-watchdog.ts');
  const ended = await endWatchdog(folder);
  if (ended === null && !isBotFolder(folder)) {
    throw new Failure('bot-missing', { what: `no bot has run in ${folder}`, hint: 'name it: --state FOLDER, or --config FILE of the bot' });
  }
  const whose = `of the bot in ${folder}`;
  if (ended === null) return void context.io.stdout.write(`no watchdog ${whose} runs\n`);
  const did = ended.did === '' ? 'had cancelled and closed nothing' : ended.did;
  const undone = ended.state === 'acting' ? '; it was not done: look at the venue for what is left' : '';
  context.io.stdout.write(`the watchdog ${whose} has ended; it ${did}${undone}\n`);
}

/** @throws Failure (configuration) if there is nothing to watch with */
async function settingsOf(flags: WatchdogFlags, context: CliContext): Promise<WatchdogSettings> {
  const config = await unlocked(await configOf(flags, context), context.env);
  requireVenue(config, flags.config);
  const where = flags.config;
  if (watchdogStart(config) === 'off') {
    const found = config.watchdog.start === 'live' ? 'live, and a venue on this machine' : 'off';
    const hint = 'watchdog: { start: apart }, in the configuration that the bot is started with: it then shows that it lives';
    throw new Failure('watchdog-off', { what: `watchdog.start: expected apart or bot, found ${found}`, where, hint });
  }
  const settings = watchdogSettings(config, false);
  if (settings.credentials === null && settings.watchdog.credentials === '') {
    throw new Failure('credentials-missing', {
      what: 'expected credentials, found none',
      where,
      hint: 'name a file of mode 0600 in watchdog.credentials or venue.credentials, or set TICKWRIGHT_KEY, TICKWRIGHT_SECRET and TICKWRIGHT_PASSPHRASE',
    });
  }
  return settings;
}
