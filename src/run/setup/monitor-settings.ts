/**
 * The settings that a monitor has to know of the configuration of its bot. The bot writes it into its state folder, so that a monitor that
 * is started by hand, or beside a bot that died, has the same. It has no secrets: the file of alerts is only named.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AlertsConfig, BotConfig } from '../../config/model.ts';
import { DEFAULTS } from '../../config/defaults.ts';
import { replaceFile } from '../../edge/file/replace-file.ts';

export interface MonitorSettings {
  readonly bot: string;
  readonly alerts: AlertsConfig;
}

const FILE = 'monitor.json';

/** @throws Error of the system */
export function writeMonitorSettings(folder: string, { bot, alerts }: BotConfig): void {
  replaceFile(join(folder, FILE), JSON.stringify({ bot, alerts } satisfies MonitorSettings));
}

/** The settings that the bot wrote last; the defaults if it wrote none. */
export function readMonitorSettings(folder: string): MonitorSettings {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as MonitorSettings;
  } catch {
    return { bot: DEFAULTS.bot, alerts: DEFAULTS.alerts };
  }
}
