/** Funding of positions. A record has the total since its position was opened, so what came in is the change since the record before. */
import type { JournalRecord } from '../../../ports/store.ts';
import { wordIn } from './fill-answers.ts';

/** By leg: total funding of its newest positions, by the time they were opened, in units of 10⁻⁸. */
export type SavedTotals = readonly (readonly [leg: string, positions: readonly (readonly [openedAt: string, total: number])[]])[];

/** Positions of a leg whose funding is remembered: a late list of positions may show the one before. */
const POSITIONS = 3;

export class FundingTotals {
  readonly #legs: Map<string, Map<string, number>>;

  constructor(saved: SavedTotals) {
    this.#legs = new Map(saved.map(([leg, positions]) => [leg, new Map(positions)]));
  }

  saved(): SavedTotals {
    return [...this.#legs].map(([leg, positions]) => [leg, [...positions]]);
  }

  /** Takes the next funding record. Returns what came in since the record before, in units of 10⁻⁸; below 0 if it was paid. */
  paid({ data }: JournalRecord): number {
    const leg = `${wordIn(data, 'symbol')} ${wordIn(data, 'side')}`;
    let positions = this.#legs.get(leg);
    if (positions === undefined) this.#legs.set(leg, (positions = new Map()));
    const openedAt = wordIn(data, 'openedAt');
    const total = Number(data['total']);
    const before = positions.get(openedAt) ?? 0;
    positions.set(openedAt, total);
    for (const oldest of positions.keys()) if (positions.size > POSITIONS) positions.delete(oldest);
    return total - before;
  }
}
