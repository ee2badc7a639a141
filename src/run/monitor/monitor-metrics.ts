/** The metrics of a bot, for Prometheus. Who asks needs the token in `metrics.token` of the bot's folder. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Change } from '../../control/changes.ts';
import { replaceFile } from '../../edge/file/replace-file.ts';
import { SILENT_MS } from '../../monitor/alerts/alert-inputs.ts';
import { expositionOf } from '../../monitor/metrics/catalogue.ts';
import type { ReadModel } from '../../monitor/model/read-model.ts';
import type { AlertWatcher } from './alerts/alert-watcher.ts';
import type { Watcher } from './alerts/watcher.ts';

export class Metrics implements Watcher {
  readonly #model: ReadModel;
  readonly #now: () => number;
  readonly #alerts: AlertWatcher | null;
  #heardAt = 0;

  constructor(model: ReadModel, now: () => number, alerts: AlertWatcher | null) {
    this.#model = model;
    this.#now = now;
    this.#alerts = alerts;
  }

  changed({ id }: Change): void {
    // The monitor's own changes have no id: they are no sign of life of the bot.
    if (id !== '') this.#heardAt = this.#now();
  }

  /** In the text format of Prometheus. */
  text(): string {
    const now = this.#now();
    const isHeard = this.#model.connection.state === 'connected' && now - this.#heardAt < SILENT_MS;
    return expositionOf({
      model: this.#model,
      now,
      isHeard,
      channels: this.#alerts?.counts ?? new Map(),
      alerts: this.#alerts?.alerts.open ?? [],
    });
  }
}

/**
 * Writes a new token into the folder of the bot, and returns it. A scraper reads the file at each scrape. It ends with the monitor, because
 * another program may take the port of one that died, and is sent the token then. @throws Error of node:fs
 */
export function metricsToken(folder: string): string {
  const token = randomBytes(32).toString('base64url');
  replaceFile(join(folder, 'metrics.token'), `${token}\n`);
  return token;
}
