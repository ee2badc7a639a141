/** The parts of a running bot that the stream of changes reads (change-feed.ts). */
import type { HealthAnswer } from '../../../control/changes.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { LogOutput } from '../../../edge/log/pino-log.ts';
import type { RunningBot } from '../life/running-bot.ts';
import type { EventLoop } from '../life/event-loop.ts';
import type { BusinessLog } from '../store/business-log.ts';
import type { DurableGate } from '../store/durable-gate.ts';
import { orderOf } from '../answers/views.ts';
import type { Operable } from '../control/operable.ts';
import type { FedBot } from './change-feed.ts';
import { QuoteRows } from './quote-rows.ts';

export interface FedDeps {
  readonly bot: RunningBot;
  readonly ids: ClientIds;
  readonly instruments: readonly Instrument[];
  readonly log: LogOutput;
  readonly businessLog: Pick<BusinessLog, 'reasons'>;
  readonly gate: Pick<DurableGate, 'position' | 'durablePosition'>;
  readonly loop: Pick<EventLoop, 'turns'>;
  readonly operable: Pick<Operable, 'status' | 'orders'>;
}

export function fedBot(deps: () => FedDeps): FedBot {
  let quotes: QuoteRows | null = null;
  return {
    now: () => deps().bot.clock.now(),
    status: () => deps().operable.status(),
    health: () => healthOf(deps()),
    orders: () => deps().operable.orders(),
    order(number) {
      const { bot, ids, instruments } = deps();
      const order = bot.kernel.lifecycle.orderOf(number);
      return order === null ? null : orderOf(order, { instruments, ids, bracketOf: (one) => bot.kernel.bracketOf(one) });
    },
    reasons: () => deps().businessLog.reasons(),
    quotes(again) {
      const { bot, instruments } = deps();
      if (quotes === null || again) quotes = new QuoteRows(bot.kernel, instruments);
      return quotes.changed(bot.clock.now());
    },
    listen: (take) => deps().log.listen(take),
  };
}

function healthOf({ bot, log, gate, loop }: FedDeps): Omit<HealthAnswer, 'lateMs'> {
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
