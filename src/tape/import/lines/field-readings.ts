/** The ways in which a field of a line is read, as small integers for the scanner. */
import type { Reading } from '../../formats/format.ts';

export const SKIP = 0;
export const NUMBER = 1;
export const TIME = 2;
export const SYMBOL = 3;
export const ID = 4;
/** Any text, of which nothing is kept: an id that is no number. */
export const TAG = 5;
export const SIDE = 6;
export const MAKER = 7;
export const TAKER = 8;
export const TIME_OF_DAY = 9;

export const CODE_OF: Readonly<Record<Reading, number>> = {
  symbol: SYMBOL,
  time: TIME,
  timeOfDay: TIME_OF_DAY,
  id: ID,
  number: NUMBER,
  signed: NUMBER,
  side: SIDE,
  maker: MAKER,
  taker: TAKER,
};
