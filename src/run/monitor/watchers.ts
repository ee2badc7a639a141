/** Parts of the monitor that look at the bot. */
import type { ReadModel } from '../../monitor/model/read-model.ts';
import type { Log } from '../../ports/log.ts';
import { openAlerts } from './alerts/alert-watcher.ts';
import { Chats } from './alerts/chats.ts';
import { DivergenceWatcher } from './alerts/divergence-watcher.ts';
import { WatchdogWatcher, type Shown } from './alerts/watchdog-watcher.ts';
import { readMonitorSettings } from '../setup/monitor-settings.ts';
import { Metrics } from './monitor-metrics.ts';
import type { Watcher } from './alerts/watcher.ts';

interface WatcherDeps {
  /** The bot's state folder. */
  readonly folder: string;
  readonly model: ReadModel;
  readonly now: () => number;
  readonly log: Log;
  /** Shows a line among those of the bot; alerts hear it there. */
  readonly show: (event: string, fields: Shown) => void;
}

interface Watchers {
  readonly watchers: readonly Watcher[];
  /** The one that routes ask. */
  readonly metrics: Metrics;
  /** True while the watchdog acts, so that somebody has to tell of it. */
  readonly isNeeded: () => boolean;
}

export function watchersOf(deps: WatcherDeps): Watchers {
  const { folder, log, show } = deps;
  const divergence = new DivergenceWatcher({ folder, log, limitBp: readMonitorSettings(folder).alerts.divergenceBp });
  const watchdog = new WatchdogWatcher(folder, show);
  const { alerts, ping, channels } = openAlerts({ ...deps, more: () => [...divergence.levels(), ...watchdog.levels()] });
  const chats = new Chats(channels, { ...deps, acknowledge: (alert, by) => alerts?.acknowledge(alert, by) === true });
  const metrics = new Metrics(deps.model, deps.now, alerts);
  const watchers = [metrics, divergence, watchdog, alerts, ping, chats].filter((one) => one !== null);
  return { watchers, metrics, isNeeded: () => watchdog.isActing };
}
