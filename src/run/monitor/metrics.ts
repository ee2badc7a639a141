/** The metrics of a bot, for Prometheus. Who asks needs the token in `metrics.token` of the bot's folder. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../../control/changes.ts';
import { SILENT_MS } from '../../monitor/alerts/alert-inputs.ts';
import { expositionOf } from '../../monitor/metrics/catalogue.ts';
import type { ReadModel } from '../../monitor/model/read-model.ts';
import type { AlertWatcher } from './alerts/alert-watcher.ts';
import type { Watcher } from './alerts/watcher.ts';

const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

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

/** The token of this bot, which is made once: a scraper reads it from the file. @throws Error of node:fs */
export function metricsToken(folder: string): string {
  const file = join(folder, 'metrics.token');
  try {
    const kept = readFileSync(file, 'utf8').trim();
    if (TOKEN_FORM.test(kept)) return kept;
  } catch {
    // There is none yet.
  }
  const token = randomBytes(32).toString('base64url');
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return token;
}
