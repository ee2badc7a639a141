/** The bot's status for the status line and the log: local state as text, and counters of the client. */
import { getHeapStatistics } from 'node:v8';
import type { LogOutput } from '../../../edge/log/pino-log.ts';
import type { LogFields } from '../../../ports/log.ts';
import { shownEquity } from '../answers/shown-equity.ts';
import type { RunningBot } from './running-bot.ts';
import type { StatusSnapshot, SymbolStatus } from '../../setup/options.ts';

/** `polls` counts queries, `requests` all requests. */
export function statusOf(bot: RunningBot, log: LogOutput): StatusSnapshot {
  const { kernel } = bot;
  const local = kernel.status();
  const client = bot.counts();
  let polls = 0;
  for (const [id, counts] of Object.entries(client.endpoints)) if (READS.has(id)) polls += counts?.requests ?? 0;
  const isRead = Number.isFinite(local.equity);
  bot.days.see(bot.clock.now(), local.equity);
  const hasStart = bot.startEquity !== 0;
  return {
    time: bot.clock.now(),
    phase: local.phase,
    symbols: symbolsOf(bot),
    equity: isRead ? shownEquity(local.equity).toFixed(2) : '',
    pnl: isRead && hasStart ? shownEquity(local.equity).minus(shownEquity(bot.startEquity)).toFixed(2) : '',
    orders: local.liveOrders,
    placed: bot.placed,
    fills: bot.fills,
    polls,
    requests: client.requests,
    errors: log.counts.error,
    unknown: local.unknownOutcomes,
    halted: local.haltedAll === '' ? [...new Set(local.halts.map((h) => h.scope.slice(h.scope.indexOf(':') + 1)))] : ['all'],
    ends: local.halts.find(({ ends }) => ends.startsWith('tickwright'))?.ends,
    disabled: local.strategies.filter((one) => one.isDisabled).map(({ name }) => name),
    warmingUp: local.strategies.find(({ warmingUp }) => warmingUp !== '')?.warmingUp.replace(/ of [A-Z0-9]+$/, ''),
  };
}

/** Memory of this process in megabytes. */
export function memoryUsed(): { readonly heapMb: number; readonly limitMb: number; readonly rssMb: number } {
  const { used_heap_size: heap, heap_size_limit: limit } = getHeapStatistics();
  return { heapMb: mega(heap), limitMb: mega(limit), rssMb: mega(process.memoryUsage.rss()) };
}

function mega(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}

/** Fields of the heartbeat line, once a minute: positions, orders, and how the venue answers. */
export function heartbeatOf(bot: RunningBot, log: LogOutput): LogFields {
  const { time: _now, phase, symbols, equity, pnl, orders, fills, requests, unknown, halted, disabled } = statusOf(bot, log);
  const { counts } = bot.kernel.status();
  const sum = (name: string): number =>
    Object.entries(counts).reduce((total, [key, count]) => (key.startsWith(name) ? total + count : total), 0);
  const held = symbols.flatMap(({ symbol, long, short }) => [
    ...(Number(long) > 0 ? [`${symbol} LONG ${long}`] : []),
    ...(Number(short) > 0 ? [`${symbol} SHORT ${short}`] : []),
  ]);
  const { endpoints, rateLimited } = bot.counts();
  const lagMs = Math.max(0, ...Object.values(endpoints).map((one) => one?.p50Ms ?? 0));
  const refused = { refused: sum('intent-refused'), rejected: sum('command-rejected'), failedReads: sum('read-failed') };
  const state = { phase, equity, pnl, positions: held, orders, fills, unknown, halted, disabled };
  return {
    ...state,
    requests,
    ...refused,
    rateLimited,
    lagMs,
    clockOffsetMs: bot.clockOffsetMs,
    errors: log.counts.error,
    lostLines: log.lost?.lines ?? 0,
    ...memoryUsed(),
  };
}

/** Fields of the daily summary: what the day that has just ended brought, and the state of the bot. */
export function dailyOf(bot: RunningBot, log: LogOutput): LogFields {
  const state = statusOf(bot, log);
  const { day, profit, fees, funding, net, equity: equityChange, equitySince } = bot.days.yesterday ?? {};
  const { equity, orders, placed, fills, errors, halted, symbols } = state;
  const ended = day === undefined ? {} : { day, profit, fees, funding, net, equityChange, since: equitySince };
  return { ...ended, equity, orders, placed, fills, errors, halted, symbols };
}

/** What is still open when the bot has stopped, as a line for a person. */
export function openText({ symbols }: Pick<StatusSnapshot, 'symbols'>, orders: number): string {
  const legs = symbols.flatMap(({ symbol, long, short }) => [
    ...(Number(long) > 0 ? [`${symbol} LONG ${long}`] : []),
    ...(Number(short) > 0 ? [`${symbol} SHORT ${short}`] : []),
  ]);
  const resting = orders === 0 ? [] : [`${orders} ${orders === 1 ? 'order' : 'orders'} at the venue`];
  const open = [...legs, ...resting];
  return open.length === 0 ? 'Stopped. No position and no order is open.\n' : `Stopped. Still open: ${open.join(', ')}.\n`;
}

const READS: ReadonlySet<string> = new Set(['E3', 'E4', 'E5', 'E6', 'E7', 'E8', 'E9', 'E17', 'E18', 'E19', 'E20']);

function symbolsOf({ kernel, instruments }: RunningBot): SymbolStatus[] {
  const traded = kernel.markets.filter((m) => m.product === 'futures' && m.hasQuote);
  return traded.map((m) => {
    const decimals = instruments[m.index]?.priceDecimals ?? 2;
    const sizeDecimals = instruments[m.index]?.sizeDecimals ?? 3;
    const price = (value: number): string => (Number.isFinite(value) ? value.toFixed(decimals) : '');
    return {
      symbol: m.symbol,
      bid: price(m.bid),
      ask: price(m.ask),
      last: price(m.last),
      long: m.long.size.toFixed(sizeDecimals),
      short: m.short.size.toFixed(sizeDecimals),
    };
  });
}
