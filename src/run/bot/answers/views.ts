/** Converts the kernel's state, or the files of a stopped bot, to answers of control commands. */
import type { KernelStatus } from '../../../engine/status.ts';
import { universeAnswer } from './universe-answer.ts';
import type {
  ExitAnswer,
  HaltAnswer,
  OrderAnswer,
  PositionAnswer,
  ReloadAnswer,
  StatusAnswer,
  StrategyAnswer,
} from '../../../control/answers.ts';
import { EFFECTS, MARKET, ORDER_TYPES, SIDES, TRIGGERS_BY } from '../../../domain/codes.ts';
import { orderKindName, productOf } from '../../../domain/orders/command-traits.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { UnruledPosition } from '../../../domain/report.ts';
import { formatLots, formatTicks, type Instrument, tradedName } from '../../../domain/instrument.ts';
import { ORDER_STATES } from '../../../domain/orders/order.ts';
import { nameOf, type StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { Bracket } from '../../../engine/state/records/brackets.ts';
import type { SavedOrder } from '../../../engine/state/records/saved.ts';
import type { Market, Position } from '../../../engine/intents/market-types.ts';
import type { LegExits } from '../../../engine/trades/held-exits.ts';
import { worstLoss } from './worst-loss.ts';
import { onDisk } from '../../setup/strategy/loaded-sources.ts';
import { type Reload, TRIAL_MS } from '../../../engine/strategy/definition/source.ts';
import { shownParams } from '../../setup/strategy/shown-params.ts';

/** A number as text; "" if unknown. */
function text(value: number, decimals: number): string {
  return Number.isFinite(value) ? value.toFixed(decimals).replace(/^-(0(\.0*)?)$/, '$1') : '';
}

export function positionsOf(
  kernel: Pick<Kernel, 'markets' | 'exitsOf' | 'legOf'>,
  instruments: readonly Instrument[],
  setups: readonly StrategySetup[],
): PositionAnswer[] {
  const futures = kernel.markets.filter(({ product }) => product === 'futures');
  return futures.flatMap((market) => {
    const { index } = market;
    const instrument = instruments[index]!;
    const strategies = setups.filter((setup) => setup.instruments.includes(index)).map(nameOf);
    return [market.long, market.short].flatMap((leg) => {
      const side = SIDES.indexOf(leg.side);
      const { own, isDoubted, readLots } = kernel.legOf(index, side);
      // Its exits are as old as the store: so is what they bound.
      const read = isDoubted ? { shown: Number.isNaN(readLots) ? '' : formatLots(readLots, instrument), worstLoss: '' } : {};
      const facts = { own: formatLots(own, instrument), strategies };
      if (leg.lots > 0) return [{ ...positionOf(market, leg, instrument, { held: kernel.exitsOf(index, side), ...facts }), ...read }];
      if (!isDoubted || !(readLots > 0)) return [];
      const size = formatLots(readLots, instrument);
      const bare = { exits: [], unprotected: size, locked: formatLots(0, instrument), stopUnknown: size };
      return [{ ...sizeOnly(tradedName(instrument), leg.side, size), price: priceText(market, instrument), ...facts, ...bare, ...read }];
    });
  });
}

function priceText({ mid, last }: Market, { priceDecimals }: Instrument): string {
  return text(Number.isNaN(mid) ? last : mid, priceDecimals);
}

/** A position of which a read shows the size, and nobody here knows more. */
function sizeOnly(symbol: string, side: string, size: string): PositionAnswer {
  const unknown = { entryPrice: '', price: '', value: '', unrealised: '', liquidationPrice: '', opening: '', closing: '' };
  return { symbol, side, size, strategies: [], ...unknown };
}

function worstLossOf(price: number, leg: Position, { exits, unprotected }: LegExits, lotSize: number): number {
  const stops = exits.filter(({ by, what }) => by === 'venue' && what === 'stop-loss');
  return worstLoss({
    isLong: leg.side === 'LONG',
    price,
    liquidationPrice: leg.liquidationPrice,
    size: leg.size,
    stops: stops.map((stop) => ({ price: stop.price, size: stop.lots * lotSize })),
    unprotected: unprotected * lotSize,
  });
}

/** A position in a symbol without rules: only its size is known. */
export function unruledOf({ symbol, side, size }: UnruledPosition): PositionAnswer {
  return sizeOnly(symbol, SIDES[side]!, size);
}

type LegFacts = Pick<PositionAnswer, 'own' | 'strategies'> & { readonly held: LegExits };

function positionOf({ mid, last }: Market, leg: Position, instrument: Instrument, { held, own, strategies }: LegFacts): PositionAnswer {
  const { priceDecimals, sizeDecimals } = instrument;
  const now = Number.isNaN(mid) ? last : mid;
  const exits = held.exits.map(({ by, what, lots, price, limit, order }): ExitAnswer => ({
    by,
    what,
    size: formatLots(lots, instrument),
    price: text(price, priceDecimals),
    limit: text(limit, priceDecimals),
    distance: text((price / now - 1) * 100, 2),
    order,
  }));
  return {
    symbol: tradedName(instrument),
    side: leg.side,
    size: leg.size.toFixed(sizeDecimals),
    own,
    strategies,
    entryPrice: text(leg.entryPrice, priceDecimals),
    price: text(now, priceDecimals),
    value: text(leg.value, 2),
    unrealised: text(leg.unrealised, 2),
    liquidationPrice: leg.liquidationPrice > 0 ? text(leg.liquidationPrice, priceDecimals) : '',
    // Only a read of the position says what its margin is.
    ...(leg.margin > 0 && !(leg.liquidationPrice > 0) ? { noLiquidation: true as const } : {}),
    opening: leg.opening.toFixed(sizeDecimals),
    closing: leg.closing.toFixed(sizeDecimals),
    exits,
    unprotected: formatLots(held.unprotected, instrument),
    locked: formatLots(held.locked, instrument),
    stopUnknown: formatLots(held.stopUnknown, instrument),
    worstLoss: text(worstLossOf(now, leg, held, leg.size / leg.lots), 2),
  };
}

/** Of the orders and their brackets: instruments, and ids by order number. */
export interface OrderFacts {
  readonly instruments: readonly Instrument[];
  readonly ids: Pick<ClientIds, 'idOf' | 'placerOf'>;
  /** undefined for an order without a bracket. */
  readonly bracketOf: (order: number) => Pick<Bracket, 'stopLoss' | 'takeProfit'> | undefined;
}

export function orderOf(order: SavedOrder, { instruments, ids, bracketOf }: OrderFacts): OrderAnswer {
  const product = productOf(order.kind);
  const instrument = instruments.find((one) => one.symbol === order.symbol && one.product === product);
  const kind = orderKindName(order.kind);
  const lots = (count: number): string => (instrument === undefined ? `${count} lots` : formatLots(count, instrument));
  const priceOf = (ticks: number): string => (instrument === undefined ? `${ticks} ticks` : formatTicks(ticks, instrument));
  const { trigger = 0, triggerBy = 0 } = order;
  const placedBy = ids.placerOf(order.seq);
  const { stopLoss = 0, takeProfit = 0 } = bracketOf(order.seq) ?? {};
  return {
    number: order.seq,
    clientId: ids.idOf(order.seq),
    venueId: order.venueId,
    symbol: instrument === undefined ? order.symbol : tradedName(instrument),
    strategy: order.strategy,
    ...(placedBy === undefined ? {} : { placedBy }),
    kind,
    side: kind === 'spot' ? (order.side === 0 ? 'BUY' : 'SELL') : SIDES[order.side]!,
    effect: kind === 'spot' ? '' : EFFECTS[order.effect]!,
    type: ORDER_TYPES[order.type]!,
    price: order.type === MARKET || order.price <= 0 ? '' : priceOf(order.price),
    trigger: trigger > 0 ? priceOf(trigger) : '',
    triggerBy: trigger > 0 ? TRIGGERS_BY[triggerBy]! : '',
    stopLoss: stopLoss > 0 ? priceOf(stopLoss) : '',
    takeProfit: takeProfit > 0 ? priceOf(takeProfit) : '',
    size: lots(order.size),
    filled: lots(order.filled),
    state: ORDER_STATES[order.state]!,
    createdAt: order.createdAt,
  };
}

export interface StrategyFacts {
  readonly setups: readonly StrategySetup[];
  readonly instruments: readonly Instrument[];
  readonly figures: KernelStatus['strategies'];
  readonly tradeReads: KernelStatus['tradeReads'];
}

export function strategiesOf({ setups, instruments, figures, tradeReads }: StrategyFacts): StrategyAnswer[] {
  return setups.map((setup) => {
    const name = nameOf(setup);
    const one = figures.find((figure) => figure.name === name);
    const { set: given = {}, symbols: changed = {} } = setup;
    const params = shownTexts(setup, given);
    const configured = shownTexts(setup, {});
    const { choosesAt = Infinity, universeReading: reading = '' } = one ?? {};
    return {
      name,
      ...(one?.isAdded === true ? { isAdded: true as const } : {}),
      symbols: setup.instruments.map((index) => tradedName(instruments[index]!)),
      params,
      changed,
      set: Object.keys(given),
      configured: Object.fromEntries(Object.keys(given).map((key) => [key, configured[key] ?? ''])),
      ...(setup.reload === undefined ? {} : { reload: reloadOf(setup.reload) }),
      errors: one?.errors ?? 0,
      isDisabled: one?.isDisabled ?? false,
      warmingUp: one?.warmingUp ?? '',
      ...(setup.universe === undefined
        ? {}
        : { universe: universeAnswer({ universe: setup.universe, instruments, choosesAt, reading, tradeReads }) }),
    };
  });
}

function reloadOf({ at, source, before, returned }: Reload): ReloadAnswer {
  const trialUntil = before === null ? 0 : at + TRIAL_MS;
  return { at, sha256: source.sha256, trialUntil, returned: returned?.why ?? '', onDisk: onDisk(source) };
}

/** Every parameter as text, by name. */
function shownTexts({ strategy, params }: StrategySetup, given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(shownParams(strategy, { ...params, ...given })).map(([key, value]) => [key, String(value)]));
}

/** True if symbol, side and strategy are in the scope: "", "BTCUSDT", "BTCUSDT:LONG" or a strategy's name. */
export function isInScope(scope: string, line: { readonly symbol: string; readonly side: string; readonly strategy?: string }): boolean {
  const word = scope.replace(/^(symbol|leg|strategy):/, '').replace(' ', ':');
  if (word === '' || word === 'all' || word === 'bot') return true;
  return word === line.symbol || word === `${line.symbol}:${line.side}` || word === line.strategy;
}

/** Without what only the kernel needs. */
export function haltAnswer({ scope, code, detail, since, by, ends }: HaltAnswer): HaltAnswer {
  return { scope, code, detail, since, by, ends };
}

/** The status before anything is known. */
export const NO_STATUS: Omit<StatusAnswer, 'bot'> = {
  isRunning: false,
  phase: 'stopped',
  time: 0,
  startedAt: 0,
  pid: 0,
  venue: '',
  equity: '',
  profit: '',
  orders: 0,
  fills: 0,
  unknownOutcomes: 0,
  halts: [],
  strategies: [],
  positions: [],
  requests: 0,
  errors: 0,
  lastError: null,
  lostLines: null,
  counts: {},
};
