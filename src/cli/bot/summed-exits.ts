/** Exits of a position for a table: a leg that was never flat keeps the stops of all its entries at the venue. */
import type { ExitAnswer } from '../../control/answers.ts';
import { formatScaled, parseScaled, writtenDecimals } from '../../domain/amounts/scale.ts';

interface ShownExit extends Omit<ExitAnswer, 'what'> {
  readonly what: string;
}

/** Exits of a kind that have a line each; of more, the others have one line. */
const MOST_EXITS = 5;

/** Many exits of a kind as the nearest ones and one line of the others, with the sum of their sizes and the range of their prices. */
export function summed(exits: readonly ExitAnswer[]): readonly ShownExit[] {
  return [...Map.groupBy(exits, ({ by, what }) => `${by} ${what}`).values()].flatMap((same) => {
    const others = same.slice(MOST_EXITS);
    if (others.length < 2) return same;
    const [first, last] = [others[0]!, others.at(-1)!];
    const decimals = writtenDecimals(first.size);
    const size = formatScaled(
      others.reduce((sum, one) => sum + parseScaled(one.size, decimals), 0),
      decimals,
    );
    const price = first.price === last.price ? first.price : `${first.price} to ${last.price}`;
    return [...same.slice(0, MOST_EXITS), { ...first, what: `${others.length} × ${first.what}`, size, price, limit: '' }];
  });
}
