/** The interface of a part of the monitor that looks at the bot. */
import type { Change } from '../../../control/changes.ts';
import type { ReadModel } from '../../../monitor/model/read-model.ts';

/** It gets each change after the model has taken it, and is called four times a second, also while the bot is lost. */
export interface Watcher {
  changed?(change: Change, model: ReadModel): void;
  tick?(now: number, model: ReadModel): void;
  close?(): Promise<void>;
}
