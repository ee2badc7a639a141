/** A person who trades on the account by hand, in a simulation. */
import { CLOSE, LONG, MARKET, OPEN, PLACE } from '../../../src/domain/codes.ts';
import { emptyCommand } from '../../../src/domain/orders/command.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { FUTURES } from '../../../src/sim/state/kinds.ts';
import type { SimOrder } from '../../../src/sim/state/types.ts';
import type { Incident } from '../plan.ts';

/** What happens once of it. */
type Trade = Extract<Incident, { kind: 'human' }>;

/** How often a person looks whether there is an own order to imitate. */
const LOOK_MS = 50;
/** A trigger so many ticks away has not fired: the market needs seconds to move that far. */
const FAR = 12;

interface PersonDeps {
  readonly sim: VenueSim;
  readonly now: () => number;
  readonly isCalm: () => boolean;
  readonly nameOf: (tag: number) => string;
  readonly note: (text: string) => void;
  readonly after: (ms: number, run: () => void) => void;
}

export class Person {
  /** When it last traded, and how often. */
  tradedAt = -Infinity;
  trades = 0;
  /** Own orders of which it has placed another of the same size. */
  readonly mirrored = new Set<string>();
  readonly #deps: PersonDeps;

  constructor(deps: PersonDeps) {
    this.#deps = deps;
  }

  trade(one: Trade): void {
    const { sim, now, isCalm, nameOf, note, after } = this.#deps;
    if (isCalm()) return;
    const { leg, isClose, isAlike } = one;
    const effect = isClose ? CLOSE : OPEN;
    const model = isAlike ? this.#orderOn(leg, effect) : null;
    if (isAlike && model === null) return after(LOOK_MS, () => this.trade(one));
    const lots = model === null ? one.lots : model.size - model.filled;
    if (model !== null) this.mirrored.add(nameOf(model.tag));
    const facts = { kind: PLACE, instrument: leg >> 1, side: leg & 1, effect, type: MARKET, size: lots };
    const isDone = sim.place(0, Object.assign(emptyCommand(), facts), 0, now()) > 0;
    if (isDone) this.trades++;
    if (isDone) this.tradedAt = now();
    note(`a human ${isClose ? 'closes' : 'opens'} ${(leg & 1) === LONG ? 'LONG' : 'SHORT'} ${lots}: ${isDone ? 'done' : sim.refusal}`);
  }

  /** The newest own order that rests on the leg, or whose trigger is far away; null for none. */
  #orderOn(leg: number, effect: number): SimOrder | null {
    const { sim } = this.#deps;
    const { last } = sim.lines[leg >> 1]!;
    const isFar = ({ kind, trigger }: SimOrder): boolean => kind === FUTURES || Math.abs(trigger - last) >= FAR;
    const isOne = (order: SimOrder): boolean =>
      order.tag > 0 && 2 * order.instrument + order.side === leg && order.effect === effect && isFar(order);
    return sim.pending(0, -1).findLast(isOne) ?? null;
  }
}
