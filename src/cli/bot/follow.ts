/** Reports how a flattening goes on, until it has ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusAnswer } from '../../control/answers.ts';
import { scoreText } from '../../domain/messages/forecast.ts';
import { sentence } from '../terminal/terminal.ts';

/** Time between two looks, and how long a flattening is followed at most: an order of unknown outcome counts for `orderHorizonMs`. */
const LOOK_MS = 500;
const FOLLOWED_MS = 180_000;

export interface Followed {
  /** Scope of the flattening, as in `status`. */
  readonly scope: string;
  /** The status of the bot; null if it does not answer any more. */
  readonly look: () => Promise<StatusAnswer | null>;
  readonly print: (line: string) => void;
  readonly width: number;
}

/** Prints each change of what is left. True if it has ended, and nothing is left that was to be closed. */
export async function followFlattening({ scope, look, print, width }: Followed): Promise<boolean> {
  const say = (text: string): void => print(`${sentence(text, width)}\n`);
  const until = performance.now() + FOLLOWED_MS;
  say('in progress; Ctrl-C ends this report, not the command, and `tickwright status` shows how far it is');
  for (let before = ''; performance.now() < until; await sleep(LOOK_MS)) {
    const status = await look();
    if (status === null) {
      say('the bot does not answer any more: it goes on when it is started again');
      return false;
    }
    const underWay = status.flattening?.find((one) => one.scope === scope);
    if (underWay === undefined) {
      const last = status.flattened?.findLast((one) => one.scope === scope);
      const isFlat = last?.isFlat === true;
      const left = last?.left ?? [];
      for (const line of left) say(`left: ${line}`);
      for (const line of last?.score ? scoreText(last.score) : []) say(line);
      if (isFlat)
        say(
          `its last own order ended after ${(last.lastOrderMs / 1_000).toFixed(1)} s; proven flat after ${((last.time - last.since) / 1_000).toFixed(1)} s`,
        );
      const isAll = isFlat && left.length === 0;
      say(
        isAll
          ? 'flat'
          : isFlat
            ? 'all else is flat'
            : last === undefined
              ? 'it ended'
              : `${last.by} ended it before the positions were closed`,
      );
      return isAll;
    }
    const text = underWay.open.join('; ');
    if (text !== before) say(`left: ${text}`);
    before = text;
  }
  say('this is still so: look at `tickwright status` later');
  return false;
}
