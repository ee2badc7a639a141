/** Parts of the monitor that look at the bot. */
import type { ReadModel } from '../../monitor/model/read-model.ts';
import type { Log } from '../../ports/log.ts';
import { openAlerts } from './alerts/alert-watcher.ts';
import { Chats } from './alerts/chats.ts';
import { DivergenceWatcher } from './alerts/divergence-watcher.ts';
import { readMonitorSettings } from '../setup/monitor-settings.ts';
import { Metrics } from './monitor-metrics.ts';
import type { Watcher } from './alerts/watcher.ts';

interface WatcherDeps {
  /** The bot's state folder. */
  readonly folder: string;
  readonly model: ReadModel;
  readonly now: () => number;
  readonly log: Log;
}

/** All of them, and the one that routes ask. */
export function watchersOf(deps: WatcherDeps): { readonly watchers: readonly Watcher[]; readonly metrics: Metrics } {
  const { folder, log } = deps;
  const divergence = new DivergenceWatcher({ folder, log, limitBp: readMonitorSettings(folder).alerts.divergenceBp });
  const { alerts, ping, channels } = openAlerts({ ...deps, more: () => divergence.levels() });
  const chats = new Chats(channels, { ...deps, acknowledge: (alert, by) => alerts?.acknowledge(alert, by) === true });
  const metrics = new Metrics(deps.model, deps.now, alerts);
  return { watchers: [metrics, divergence, alerts, ping, chats].filter((one) => one !== null), metrics };
}
