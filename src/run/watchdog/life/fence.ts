/** The request that fences a silent bot, and when the bot is answerable for its orders again. */
import type { Beat } from './beat.ts';

/** So many beats in a row without a halt, with the request gone, show that a halt was taken and ended while nobody listened. */
const FREE_BEATS = 3;

export class Fence {
  readonly id: string;
  /** Epoch of the client ids of the silent bot. */
  readonly epoch: number;
  /** The bot has said since that it is halted. */
  #isTaken = false;
  #freeBeats = 0;

  constructor(id: string, epoch: number) {
    this.id = id;
    this.epoch = epoch;
  }

  /**
   * True once the bot has taken the request and a person has ended the halt, or once it is another process. It says so before it opens anything.
   * A beat without a halt may also be of before it took the request; then that of the halt follows. `hasAdvanced`: its kernel has, since the beat
   * before. `waits`: true while the request is there.
   */
  isOver({ epoch, isHalted }: Pick<Beat, 'epoch' | 'isHalted'>, hasAdvanced: boolean, waits: () => boolean): boolean {
    this.#isTaken ||= isHalted;
    if (epoch === 0 || isHalted || waits()) {
      this.#freeBeats = 0;
      return false;
    }
    if (hasAdvanced) this.#freeBeats++;
    return this.#isTaken || epoch > this.epoch || this.#freeBeats >= FREE_BEATS;
  }
}
