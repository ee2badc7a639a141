/** What the stream of changes reads of a running bot (change-feed.ts). */
import type { HealthAnswer, QuoteRow } from '../../../control/changes.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import { tradedName, type Instrument } from '../../../domain/instrument.ts';
import type { LogOutput } from '../../../edge/log/pino-log.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { Market } from '../../../engine/intents/market-types.ts';
import type { RunningBot } from '../life/running-bot.ts';
import type { EventLoop } from '../life/event-loop.ts';
import type { BusinessLog } from '../store/business-log.ts';
import type { DurableGate } from '../store/durable-gate.ts';
import { orderOf } from '../answers/views.ts';
import type { Operable } from '../control/operable.ts';
import type { FedBot } from './change-feed.ts';

export interface FedParts {
  readonly bot: RunningBot;
  readonly ids: ClientIds;
  readonly instruments: readonly Instrument[];
  readonly log: LogOutput;
  readonly businessLog: Pick<BusinessLog, 'reasons'>;
  readonly gate: Pick<DurableGate, 'position' | 'durablePosition'>;
  readonly loop: Pick<EventLoop, 'turns'>;
  readonly operable: Pick<Operable, 'status' | 'orders'>;
}

export function fedBot(parts: () => FedParts): FedBot {
  let quotes: Quotes | null = null;
  return {
    now: () => parts().bot.clock.now(),
    status: () => parts().operable.status(),
    health: () => healthOf(parts()),
    orders: () => parts().operable.orders(),
    order(number) {
      const { bot, ids, instruments } = parts();
      const order = bot.kernel.lifecycle.orderOf(number);
      return order === null ? null : orderOf(order, { instruments, ids, bracketOf: (one) => bot.kernel.bracketOf(one) });
    },
    reasons: () => parts().businessLog.reasons(),
    quotes(again) {
      const { bot, instruments } = parts();
      if (quotes === null || again) quotes = new Quotes(bot.kernel, instruments);
      return quotes.changed(bot.clock.now());
    },
    listen: (take) => parts().log.listen(take),
  };
}

function healthOf({ bot, log, gate, loop }: FedParts): Omit<HealthAnswer, 'lateMs'> {
  const counts = bot.counts();
  const { pollsSkipped, commandsInFlight } = bot.kernel.status();
  const endpoints = Object.entries(counts.endpoints).flatMap(([id, one]) =>
    one === undefined ? [] : [[id, { requests: one.requests, failures: one.unsent + one.unknown, p50Ms: one.p50Ms, p99Ms: one.p99Ms }]],
  );
  return {
    turns: loop.turns,
    clockOffsetMs: bot.clockOffsetMs,
    requests: counts.requests,
    rateLimited: counts.rateLimited,
    endpoints: Object.fromEntries(endpoints) as HealthAnswer['endpoints'],
    pollsSkipped,
    commandsInFlight,
    journal: { made: gate.position, durable: gate.durablePosition },
    lines: { warn: log.counts.warn, error: log.counts.error },
  };
}

/** The quotes as they were told last, in ticks. */
class Quotes {
  readonly #kernel: Kernel;
  readonly #instruments: readonly Instrument[];
  readonly #told: Float64Array;

  constructor(kernel: Kernel, instruments: readonly Instrument[]) {
    this.#kernel = kernel;
    this.#instruments = instruments;
    this.#told = new Float64Array(3 * kernel.markets.length);
  }

  changed(time: number): readonly QuoteRow[] {
    const told = this.#told;
    const rows: QuoteRow[] = [];
    for (const [i, market] of this.#kernel.markets.entries()) {
      if (!market.hasQuote) continue;
      const { bidTicks, askTicks } = market;
      const last = Number.isNaN(market.last) ? 0 : market.last;
      if (told[3 * i] === bidTicks && told[3 * i + 1] === askTicks && told[3 * i + 2] === last) continue;
      told.set([bidTicks, askTicks, last], 3 * i);
      rows.push(this.#rowOf(market, time));
    }
    return rows;
  }

  #rowOf({ index, bid, ask, last }: Market, time: number): QuoteRow {
    const instrument = this.#instruments[index]!;
    const price = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(instrument.priceDecimals));
    return { symbol: tradedName(instrument), bid: price(bid), ask: price(ask), last: price(last), time };
  }
}
