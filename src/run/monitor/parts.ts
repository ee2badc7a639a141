/** Parts of the monitor that look at the bot, and those that answer routes of their own. */
import type { Change } from '../../control/changes.ts';
import type { ReadModel } from '../../monitor/model/read-model.ts';

/** A part that looks: it is told of each change after the model has taken it, and called once a second, also while the bot is lost. */
export interface Watcher {
  changed?(change: Change, model: ReadModel): void;
  tick?(now: number, model: ReadModel): void;
  close?(): Promise<void>;
}

export interface WatcherParts {
  readonly folder: string;
  readonly model: ReadModel;
  readonly now: () => number;
}

/** All of them. */
export function watchersOf(_parts: WatcherParts): readonly Watcher[] {
  return [];
}
