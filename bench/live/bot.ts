/** The bot of the measurement: its strategy, and answers to what it asks besides quotes. */
import type { AccountReport } from '../../src/domain/report.ts';
import type { Money } from '../../src/domain/amounts/units.ts';
import { defineStrategy } from '../../src/index.ts';
import type { Answer, Query } from '../../src/ports/venue.ts';

const EVERY = 5;
const KEEP = 8;
/** Places a small order on every fifth quote, and cancels the oldest when there are many. */
export const placer = defineStrategy({
  name: 'placer',
  create() {
    let seen = 0;
    const mine: number[] = [];
    return {
      onQuote(market, ctx) {
        if (++seen % EVERY !== 0) return;
        mine.push(ctx.limit(market, 'LONG', 'OPEN', market.bid - 10 * market.tick, 0.001));
        if (mine.length > KEEP) ctx.cancel(mine.shift()!);
      },
    };
  },
});

const RICH = 1e15 as Money;
const NONE = 0 as Money;
const ACCOUNT: AccountReport = {
  instrument: 0,
  equity: RICH,
  available: RICH,
  locked: NONE,
  unrealised: NONE,
  marginMode: 0,
  longLeverage: 20,
  shortLeverage: 20,
};

/** The answer of a venue where nothing has happened. */
export function emptyAnswer(query: Query): Answer {
  switch (query.kind) {
    case 'pending':
    case 'history':
      return { kind: query.kind, orders: [] };
    case 'positions':
      return { kind: 'positions', positions: [] };
    case 'account':
      return { kind: 'account', account: ACCOUNT };
    case 'withdrawals':
      return { kind: 'withdrawals', withdrawals: [] };
    case 'spot-symbols':
      return { kind: 'spot-symbols', symbols: [] };
    default:
      throw new Error(`no answer for ${query.kind}`);
  }
}
