/** What the rules of a bot, which the solver is compared with, say of a leg and of its orders. */
import type { KernelState } from '../../../src/engine/state/kernel-state.ts';
import type { Life } from '../../simulation/world/life.ts';
import { NEVER, type Chain } from './chain.ts';

export class OldRules {
  readonly #life: Life;
  readonly #core: KernelState;
  readonly position: readonly [lo: number, hi: number];
  /** True if nothing that is known explains the leg: opens on it are refused. */
  readonly isDoubted: boolean;

  constructor(life: Life, at: number) {
    this.#life = life;
    this.#core = life.kernel['core'];
    const leg = this.#core.portfolio.legs[at]!;
    this.isDoubted = leg.isDoubted || leg.unexplained !== 0;
    this.position = [Math.max(0, leg.minLots - leg.closing), leg.maxLots + leg.opening];
  }

  /** What the order filled; null if the bot does not know it any more. */
  rangeOf({ from, ids }: Chain): readonly [lo: number, hi: number] | null {
    const [id] = ids;
    if (id === undefined || ids.length > 1 || from === NEVER) return null;
    const { ids: known, nextSeq, orders } = this.#core;
    const order = orders.find(known.seqOf(id, nextSeq));
    if (order === null || this.#life.idOf(order.seq) !== id) return null;
    if (order.isSettled) return [order.filled, order.filled];
    return [order.filled, order.isAlive ? order.size : order.filled + order.maybeFilled];
  }
}
