/**
 * The settings that a watchdog is given: plain JSON, so that a bot can hand it to the one that it starts. Its own configuration gives the
 * same.
 */
import { createHash } from 'node:crypto';
import { Secret, type Credentials } from '../../base/secret.ts';
import { readCredentials } from '../../config/files/credentials.ts';
import { keystoreIn } from '../../config/files/keystore-place.ts';
import { credentialsIn, givenPassphrase, passphraseMissing } from '../../config/files/keystore-passphrase.ts';
import { limitFor, type BotConfig, type LogLevel, type VenueConfig, type WatchdogConfig } from '../../config/model.ts';
import { watchdogStart } from '../../config/watchdog-start.ts';
import type { InstrumentSpec } from '../../domain/instrument.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { programVersion } from '../setup/version.ts';

export interface WatchdogSettings {
  readonly bot: string;
  /** The bot's state folder. */
  readonly folder: string;
  readonly venue: VenueConfig;
  readonly instruments: readonly InstrumentSpec[];
  /** Cancels a second. */
  readonly cancelRate: number;
  readonly orderHorizonMs: number;
  readonly listLagMs: number;
  readonly logLevel: LogLevel;
  readonly watchdog: WatchdogConfig;
  /** The bot's: used if `watchdog.credentials` names no file. */
  readonly credentials: { readonly [K in keyof Credentials]: string } | null;
  /** True if the bot started it: it then ends with the bot. */
  readonly isOwned: boolean;
}

export function watchdogSettings(config: BotConfig, isOwned: boolean): WatchdogSettings {
  const { bot, venue, instruments, limits, listLagMs, orderHorizonMs, logLevel, credentials: own } = config;
  const watchdog = { ...config.watchdog, start: watchdogStart(config) };
  const credentials = own === null || watchdog.credentials !== '' ? null : revealed(own);
  const cancelRate = limitFor(limits, 'order');
  const folder = stateFolder(config);
  return { bot, folder, venue, instruments, cancelRate, orderHorizonMs, listLagMs, logLevel, watchdog, credentials, isOwned };
}

/** Its own credentials, else the bot's; null for none. @throws Failure if its own cannot be read */
export function watchdogCredentials({ watchdog, credentials }: WatchdogSettings): Credentials | null {
  const sealed = keystoreIn(watchdog.credentials);
  if (sealed !== null) {
    const passphrase = givenPassphrase(process.env);
    if (passphrase === null) throw passphraseMissing(sealed.file);
    return credentialsIn(sealed, passphrase);
  }
  if (watchdog.credentials !== '') return readCredentials({}, watchdog.credentials);
  if (credentials === null) return null;
  const { key, secret, passphrase } = credentials;
  return { key: new Secret(key), secret: new Secret(secret), passphrase: new Secret(passphrase) };
}

/** Digest of the program and of what a watchdog is told, whoever starts it. */
export function watchdogDigest({ isOwned: _whoever, ...settings }: WatchdogSettings): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...settings, version: programVersion() }))
    .digest('hex')
    .slice(0, 16);
}

function revealed({ key, secret, passphrase }: Credentials): WatchdogSettings['credentials'] {
  return { key: key.reveal(), secret: secret.reveal(), passphrase: passphrase.reveal() };
}
