/**
 * The checks that keep `run` from starting on a venue, and what it warns of. `run` throws the first refusal; `doctor` and `run --check`
 * list all.
 */
import { Failure } from '../../../base/failure/failure.ts';
import { readAlertsFile } from '../../../config/files/alerts-file.ts';
import { readWebhooksFile } from '../../../config/files/webhooks-file.ts';
import { isRemote } from '../../../config/schema/base-url.ts';
import { LOSS_HINT, lossLimitsOf } from '../../../config/loss-limits.ts';
import type { BotConfig } from '../../../config/model.ts';
import { watchdogStart } from '../../../config/watchdog-start.ts';
import { isPatchedNode, PATCHED_NODES } from '../../shell/node-version.ts';
import { openInspector } from './inspector.ts';

export interface StartFlags {
  readonly config?: string | undefined;
  readonly live?: true | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/** True if trades may be polled more slowly than the default: nobody chose `poll.trades`, and a universe decides how many symbols are read. */
export function maySlowTrades({ strategies }: BotConfig, isStated: (key: string) => boolean): boolean {
  return !isStated('poll.trades') && strategies.some(({ universe }) => universe !== undefined);
}

/** The refusals of a start on a venue, in the order in which `run` looks. */
export function* refusalsOf(config: BotConfig, flags: StartFlags, env: Env): Generator<Failure> {
  const { baseUrl } = config.venue;
  if (baseUrl === '') yield venueMissing(flags.config);
  if (config.credentials === null) {
    yield new Failure('credentials-missing', {
      what: 'expected credentials, found none',
      where: flags.config,
      hint: 'set TICKWRIGHT_KEY, TICKWRIGHT_SECRET and TICKWRIGHT_PASSPHRASE, or name a file of mode 0600 in venue.credentials',
    });
  }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    yield new Failure('tls-unchecked', {
      what: 'NODE_TLS_REJECT_UNAUTHORIZED=0 would accept any certificate, and with it any venue',
      where: 'environment',
      hint: 'unset it',
    });
  }
  const host = openInspector([...process.execArgv, ...(env['NODE_OPTIONS'] ?? '').split(/\s+/)]);
  if (host !== null) {
    yield new Failure('inspector-exposed', {
      what: `--inspect on ${host} would let other machines read the credentials and trade`,
      where: 'command line of Node.js, or NODE_OPTIONS',
      hint: 'leave the address out: the inspector then listens on 127.0.0.1',
    });
  }
  if (config.barSpeed !== 1 && isRemote(config)) {
    yield new Failure('config-invalid', {
      what: `barSpeed: expected 1 on a remote venue, whose market moves in real time, found ${config.barSpeed}`,
      where: flags.config,
      hint: 'leave it out: it is for paper exchanges on this machine with --speed',
    });
  }
  const { alerts, webhooks } = config;
  yield* faultOf(() => readAlertsFile(alerts.file));
  if (webhooks.file !== '' && webhooks.start === 'bot') yield* faultOf(() => readWebhooksFile(webhooks.file));
  if (flags.live !== true && isRemote(config)) {
    yield new Failure('live-unconfirmed', {
      what: `${baseUrl} is a remote venue: trading there needs --live`,
      where: 'run',
      hint: 'add --live',
    });
  }
}

/** What `run` warns of and does all the same. */
export function warningsOf(config: BotConfig, { live }: StartFlags): string[] {
  const warnings: string[] = [];
  if (live === true && lossLimitsOf(config).length === 0)
    warnings.push(`no loss limit: nothing stops a bot that loses all day; ${LOSS_HINT}`);
  if (live === true && config.alerts.file === '')
    warnings.push('no channel of alerts: nobody is told if the bot is in trouble; alerts.file names a file of channels');
  if (live === true && watchdogStart(config) === 'off')
    warnings.push('no watchdog: if the bot hangs or is gone, its opening orders stay at the venue; watchdog.start: live starts one');
  if (isRemote(config) && !isPatchedNode(process.versions.node))
    warnings.push(`Node.js ${process.versions.node} lacks security fixes for TLS and DNS; to trade live use ${PATCHED_NODES}`);
  return warnings;
}

/** @throws Failure (configuration) if the configuration of `file` names no venue */
export function requireVenue({ venue }: BotConfig, file: string | undefined): void {
  if (venue.baseUrl === '') throw venueMissing(file);
}

function venueMissing(file: string | undefined): Failure {
  return new Failure('venue-missing', {
    what: 'venue.baseUrl: expected the address of the venue, found none',
    where: file,
    hint: 'for example baseUrl: http://127.0.0.1:8420, or --set venue.baseUrl=…',
  });
}

/** What is wrong with a private file that only a process beside the bot keeps. */
function* faultOf(read: () => unknown): Generator<Failure> {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    yield error;
  }
}
