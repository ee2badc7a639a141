/** Watches the bot for alerts: feeds the rules, writes down what is told, and gives it to the channels. */
import { join } from 'node:path';
import { SEVERITIES, type ChannelSettings } from '../../../base/tables/alert-channels.ts';
import { readAlertsFile, type AlertsFile } from '../../../config/files/alerts-file.ts';
import { Hours } from '../../../domain/time/hours.ts';
import { AlertStore } from '../../../edge/alerts/alert-store.ts';
import { createChannel } from '../../../edge/alerts/channels.ts';
import { Outbox, type Fate, type Waiting } from '../../../edge/alerts/outbox.ts';
import type { Change } from '../../../control/changes.ts';
import { botLevels, happeningOf, lostLevel, type Level } from '../../../monitor/alerts/alert-inputs.ts';
import { Alerts, type SavedAlerts, type Tell } from '../../../monitor/alerts/alerts.ts';
import { PastMinute } from '../../../monitor/alerts/past-minute.ts';
import type { ReadModel } from '../../../monitor/model/read-model.ts';
import type { Log } from '../../../ports/log.ts';
import { readMonitorSettings, type MonitorSettings } from '../../setup/monitor-settings.ts';
import type { Watcher } from './watcher.ts';
import { Ping } from './ping.ts';

/** The file of alerts in the state folder of a bot. */
export const ALERTS_FILE = 'alerts.sqlite';
/** Time that an end waits for messages on their way. */
const DRAIN_MS = 5_000;
const DRAIN_LOOK_MS = 50;
const PRUNE_MS = 3_600_000;

interface AlertWatcherDeps {
  readonly folder: string;
  readonly settings: MonitorSettings;
  readonly channels: readonly ChannelSettings[];
  readonly now: () => number;
  readonly log: Log;
  /** Further levels that hold, whether the bot is heard or not. */
  readonly more?: () => readonly Level[];
}

/** Counts of deliveries by channel, for metrics. */
interface ChannelCounts {
  delivered: number;
  failed: number;
}

/**
 * What tells a person of the bot in `folder`, by the settings that it wrote: its alerts, null if they cannot be kept at all, and the ping, null
 * without an address. What is wrong is logged.
 */
export function openAlerts({ folder, now, log, ...rest }: Pick<AlertWatcherDeps, 'folder' | 'now' | 'log' | 'more'>): {
  readonly alerts: AlertWatcher | null;
  readonly ping: Ping | null;
  readonly channels: readonly ChannelSettings[];
} {
  const settings = readMonitorSettings(folder);
  let file: AlertsFile = { channels: [], ping: null };
  try {
    file = readAlertsFile(settings.alerts.file);
  } catch (error) {
    log.error('alerts-file-unusable', { error });
  }
  const { channels } = file;
  if (channels.length === 0) log.warn('alerts-to-nobody', { file: settings.alerts.file });
  const ping = file.ping === null ? null : new Ping(file.ping, log);
  try {
    return { alerts: new AlertWatcher({ folder, settings, channels, now, log, ...rest }), ping, channels };
  } catch (error) {
    log.error('alerts-not-written', { error });
    return { alerts: null, ping, channels };
  }
}

export class AlertWatcher implements Watcher {
  readonly alerts: Alerts;
  readonly counts = new Map<string, ChannelCounts>();
  readonly #deps: AlertWatcherDeps;
  readonly #store: AlertStore;
  readonly #outboxes = new Map<string, Outbox>();
  readonly #past = new PastMinute();
  #saved = '';
  #heardAt: number;
  #prunedAt = 0;

  /** @throws Error of SQLite if the file cannot be opened */
  constructor(deps: AlertWatcherDeps) {
    this.#deps = deps;
    this.#store = new AlertStore(join(deps.folder, ALERTS_FILE));
    this.#heardAt = deps.now();
    const { bot, alerts } = deps.settings;
    const hours = alerts.quietHours === '' ? null : new Hours(alerts.quietHours);
    const settings = { ...alerts, bot, isQuiet: (now: number) => hours?.isOpen(now) === true };
    const saved = this.#store.kept('alerts');
    this.#saved = saved ?? '';
    this.alerts = new Alerts(settings, this.#tell, saved === null ? undefined : (JSON.parse(saved) as SavedAlerts));
    for (const one of deps.channels) {
      this.counts.set(one.name, { delivered: 0, failed: 0 });
      this.#outboxes.set(
        one.name,
        new Outbox(createChannel(one), { now: deps.now, onFate: (...given) => this.#onFate(one.name, ...given) }),
      );
    }
    for (const { number, channel, message } of this.#store.waiting()) {
      const outbox = this.#outboxes.get(channel);
      if (outbox === undefined)
        this.#store.deliver(number, channel, { fate: 'dropped', time: deps.now(), cause: 'there is no such channel', tries: 0 });
      else outbox.add({ number, message });
    }
  }

  changed(change: Change, model: ReadModel): void {
    const now = this.#deps.now();
    // The monitor's own changes have no id: they are no sign of life of the bot.
    if (change.id !== '') this.#heardAt = now;
    if (change.kind === 'log') {
      const happening = happeningOf(change.log);
      this.#past.happened(happening, now);
      this.alerts.happened(happening, now);
      this.#save();
    } else if (change.kind === 'halts' || change.kind === 'status' || change.kind === 'reset' || change.kind === 'connection') {
      this.#observe(now, model);
    }
  }

  tick(now: number, model: ReadModel): void {
    this.#observe(now, model);
    const rows = this.#past.taken(now);
    if (rows.length > 0) this.#book(() => this.#store.note(rows));
    if (now - this.#prunedAt < PRUNE_MS) return;
    this.#prunedAt = now;
    this.#book(() => this.#store.prune(now));
  }

  /** Ends the escalation of an alert. False if there is no such alert. */
  acknowledge(id: number, by: string): boolean {
    const isKnown = this.alerts.acknowledge(id, by);
    this.#save();
    return isKnown;
  }

  async close(): Promise<void> {
    const until = performance.now() + DRAIN_MS;
    while (performance.now() < until && [...this.#outboxes.values()].some(({ length }) => length > 0)) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS));
    }
    for (const outbox of this.#outboxes.values()) outbox.close();
    this.#book(() => this.#store.note(this.#past.taken(Infinity)));
    this.#save();
    this.#store.close();
  }

  #observe(now: number, model: ReadModel): void {
    const { state } = model.connection;
    // A connection without a status yet says nothing of halts.
    const isHeard = state === 'connected' && model.status !== null;
    const levels = [...(isHeard ? botLevels(model) : []), ...(this.#deps.more?.() ?? [])];
    const lost = lostLevel(model, this.#heardAt, now);
    if (lost !== null) levels.push(lost);
    for (const { name, failingSince, cause } of this.#outboxes.values()) {
      if (failingSince > 0)
        levels.push({ kind: 'state', name: 'channel-failed', cause: name, text: `the channel ${name} does not deliver: ${cause}` });
    }
    // Of a bot that is not heard, and of one not heard yet, nothing is known: what held goes on.
    const blind: Level['kind'][] =
      isHeard && lost === null ? [] : state === 'starting' ? ['halt', 'trouble', 'state'] : ['halt', 'trouble'];
    this.#past.observe(levels, now);
    this.alerts.observe(levels, now, new Set(blind));
    this.#save();
  }

  readonly #tell: Tell = (message, to) => {
    const { channels, now } = this.#deps;
    const rank = SEVERITIES.indexOf(message.severity);
    const chosen = channels.filter(({ from, isEscalation }) => isEscalation === (to === 'escalation') && SEVERITIES.indexOf(from) <= rank);
    const names = chosen.map(({ name }) => name);
    let number = 0;
    this.#book(() => (number = this.#store.tell(message, names)));
    this.#deps.log.info('alert', { title: message.title, text: message.text, channels: names, time: now() });
    for (const name of names) this.#outboxes.get(name)?.add({ number, message });
  };

  #onFate(channel: string, { number, message }: Waiting, fate: Fate, cause: string, tries: number): void {
    const { now, log } = this.#deps;
    const counts = this.counts.get(channel)!;
    if (fate === 'delivered') counts.delivered++;
    else {
      counts.failed++;
      log.warn('alert-not-delivered', { channel, fate, cause, title: message.title });
    }
    this.#book(() => this.#store.deliver(number, channel, { fate, time: now(), cause, tries }));
  }

  #save(): void {
    const saved = JSON.stringify(this.alerts.save());
    if (saved === this.#saved) return;
    this.#saved = saved;
    this.#book(() => this.#store.keep('alerts', saved));
  }

  /** A file that cannot be written does not keep a person from being told. */
  #book(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#deps.log.warn('alerts-not-written', { error });
    }
  }
}
