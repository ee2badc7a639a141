/**
 * Takes over the closes that a watchdog sent while the bot was silent. Each becomes an order of this journal, of no strategy, whose outcome is
 * unknown: reads of the venue prove what became of it, as of an order that was in flight when a process ended.
 */
import { CLOSE, MARKET, PLACE } from '../../domain/codes.ts';
import { formatLots } from '../../domain/instrument.ts';
import type { ClientIds } from '../../domain/orders/client-ids.ts';
import type { WatchdogClose } from '../../domain/messages/watchdog.ts';
import type { Executor } from '../orders/executor.ts';
import type { Resolver } from '../orders/unknown/resolver.ts';
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { OperatorResult } from './command.ts';

/** The shared state that this file uses. */
interface ImportCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly ids: ClientIds;
  /** Number of the next order or execution. */
  readonly nextSeq: number;
}

export interface ImportDeps {
  readonly core: ImportCore;
  readonly executor: Pick<Executor, 'begin' | 'sentElsewhere'>;
  readonly resolver: Pick<Resolver, 'reopen'>;
}

const REASON = 'closed by the watchdog while the bot was silent';

/** A close that the journal has already is left out, so that importing twice does no harm. */
export function importCloses({ core, executor, resolver }: ImportDeps, closes: readonly WatchdogClose[]): OperatorResult {
  const did: string[] = [];
  const orders: number[] = [];
  for (const close of closes) {
    const { clientId, side, size, symbol } = close;
    if (core.ids.seqOf(clientId, core.nextSeq) > 0) continue;
    const context = core.contexts.find(({ instrument }) => instrument.symbol === symbol && instrument.product === 'futures');
    if (context === undefined) {
      did.push(`not taken over, because ${symbol} is not configured: ${clientId}`);
      continue;
    }
    const command = executor.begin(PLACE, context.index);
    command.side = side;
    command.effect = CLOSE;
    command.type = MARKET;
    command.size = size;
    const order = executor.sentElsewhere(context, clientId, REASON);
    core.journal.note('imported', { order: order.seq, clientId }, core.now);
    resolver.reopen(order);
    orders.push(order.seq);
    did.push(`taken over from the watchdog: a close of ${formatLots(size, context.instrument)} ${symbol} as order ${order.seq}`);
  }
  return { ok: true, did: did.length === 0 ? ['there was nothing to take over'] : did, orders, flattens: '' };
}
