/** Lists what is the bot's at the venue, leg by leg, for its watchdog. */
import { OPEN } from '../../domain/codes.ts';
import type { ClientIds } from '../../domain/orders/client-ids.ts';
import type { NamedLeg } from '../../domain/messages/watchdog.ts';
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Portfolio } from '../state/account/portfolio.ts';

/** The shared state that this file uses. */
interface NamedLegsCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly ids: ClientIds;
  readonly portfolio: Portfolio;
}

/** Legs with lots of this bot, or with own orders that may open some. */
export function namedLegsOf({ contexts, ids, portfolio }: NamedLegsCore): NamedLeg[] {
  return portfolio.legs.flatMap((leg) => {
    if (leg.own + leg.opening === 0) return [];
    const { instrument, orders } = contexts[leg.index >> 1]!;
    const opens = orders.known().filter((order) => order.leg === leg && order.effect === OPEN && order.isAlive);
    return [
      {
        symbol: instrument.symbol,
        side: leg.index & 1,
        own: leg.own,
        total: leg.total,
        opens: opens.map((order) => ({ clientId: ids.idOf(order.seq), size: order.remaining })),
      },
    ];
  });
}
