/** Orders and fills of a run, live or not, in one form: symbols by name, prices in ticks, sizes in lots, money in 10^-8. */
import { ENDPOINTS } from '../../src/contract/endpoints/endpoints.ts';
import { SUCCESS_CODE } from '../../src/contract/envelope.ts';
import { BUY, directionOf, EFFECTS, ORDER_TYPES, SIDES } from '../../src/domain/codes.ts';
import { parseClientId } from '../../src/domain/orders/command.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { GroundTruth } from '../../src/edge/file/ledger/read-ledger.ts';
import type { FillLog } from '../../src/report/fills/fill-log.ts';
import type { VenueSim } from '../../src/sim/core/venue-core.ts';
import type { SimOrder } from '../../src/sim/state/types.ts';

export interface RunFill {
  readonly time: number;
  readonly symbol: string;
  /** Number of the order. */
  readonly seq: number;
  readonly side: number;
  /** BUY or SELL. */
  readonly direction: number;
  readonly price: number;
  readonly size: number;
  readonly fee: number;
  readonly realised: number;
  readonly liquidity: number;
}

export interface RunOrder {
  readonly seq: number;
  readonly symbol: string;
  readonly side: number;
  readonly effect: number;
  readonly type: number;
  readonly price: number;
  readonly size: number;
  /** Time when the bot made it, and when it reached the venue. */
  readonly madeAt: number;
  readonly arrivedAt: number;
  readonly fills: readonly RunFill[];
}

export interface Run {
  readonly orders: readonly RunOrder[];
  readonly fills: readonly RunFill[];
}

/** How often each rule of risk refused an intent. */
export type Refusals = Readonly<Record<string, number>>;

export interface LedgerOptions {
  readonly bot: string;
  /** As the exchange numbers them. */
  readonly instruments: readonly Instrument[];
  /** Later fills and orders are left out. */
  readonly end: number;
  /** When the bot made order `seq`. */
  readonly madeAt: ReadonlyMap<number, number>;
}

/** What the exchange's ledger holds. Orders bear the bot's own numbers, 0 for those the venue made. */
export function runOfLedger(truth: GroundTruth, { bot, instruments, end, madeAt }: LedgerOptions): Run {
  const orders = truth.orders.map(({ order }) => {
    const { clientOid, ...known } = order as unknown as SimOrder & { readonly clientOid: string };
    return { ...known, tag: parseClientId(bot, clientOid).seq };
  });
  const seqOf = new Map(orders.map((order) => [order.no, order.tag]));
  const fills = truth.fills.filter((fill) => fill.time <= end).map((fill) => fillOf(fill, seqOf.get(fill.orderNo) ?? 0, instruments));
  const own = orders.filter((order) => order.createdAt <= end);
  return { fills, orders: own.map((order) => orderOf(order, madeAt.get(order.tag) ?? order.createdAt, instruments, fills)) };
}

interface PlaceBody {
  readonly symbol: string;
  readonly side: 'LONG' | 'SHORT';
  readonly tradeSide: 'OPEN' | 'CLOSE';
  readonly orderType: 'LIMIT' | 'MARKET';
}

/** Placements that the exchange turned away. */
export function refusedPlacements(truth: GroundTruth): Pick<RunOrder, 'symbol' | 'side' | 'effect' | 'type' | 'arrivedAt'>[] {
  const refused = truth.requests.filter(({ endpoint, code }) => endpoint === ENDPOINTS.placeOrder.id && code !== SUCCESS_CODE);
  return refused.map(({ body, time }) => {
    const { symbol, side, tradeSide, orderType } = JSON.parse(body) as PlaceBody;
    return { symbol, side: SIDES.indexOf(side), effect: EFFECTS.indexOf(tradeSide), type: ORDER_TYPES.indexOf(orderType), arrivedAt: time };
  });
}

/** What a simulator holds after a run, and the log of its fills. Orders were made `upMs` before they arrived. */
export function runOfSim(sim: VenueSim, log: FillLog, instruments: readonly Instrument[], upMs: number): Run {
  const fills: RunFill[] = [];
  log.each((fill) => fills.push(fillOf(fill, fill.order, instruments)));
  const orders = [...sim.history(0, -1), ...sim.pending(0, -1)].sort((a, b) => a.no - b.no);
  return { fills, orders: orders.map((order) => orderOf(order, order.createdAt - upMs, instruments, fills)) };
}

interface RawFill {
  readonly time: number;
  readonly instrument: number;
  readonly side: number;
  readonly effect: number;
  readonly price: number;
  readonly size: number;
  readonly fee: number;
  readonly realised: number;
  readonly liquidity: number;
}

function fillOf(raw: RawFill, seq: number, instruments: readonly Instrument[]): RunFill {
  const { time, side, price, size, fee, realised, liquidity } = raw;
  const symbol = instruments[raw.instrument]!.symbol;
  return { time, symbol, seq, side, direction: directionOf(side, raw.effect), price, size, fee, realised, liquidity };
}

function orderOf(order: SimOrder, madeAt: number, instruments: readonly Instrument[], fills: readonly RunFill[]): RunOrder {
  const { tag: seq, side, effect, type, price, size, createdAt: arrivedAt } = order;
  const symbol = instruments[order.instrument]!.symbol;
  return { seq, symbol, side, effect, type, price, size, madeAt, arrivedAt, fills: fills.filter((fill) => fill.seq === seq) };
}

/** Lots held of each leg of `symbol` before `time`, as one text. */
export function positionAt(run: Run, symbol: string, time: number): string {
  const legs = [0, 0];
  for (const fill of run.fills) {
    if (fill.symbol === symbol && fill.time < time) legs[fill.side]! += fill.direction === BUY ? fill.size : -fill.size;
  }
  return legs.join(' ');
}

/** Quote coin earned by the fills, fees paid, and what the open legs are worth at `lastPrices` (ticks by symbol). */
export function profitOf(
  run: Run,
  instruments: readonly Instrument[],
  lastPrices: ReadonlyMap<string, number>,
): { fees: number; net: number } {
  let cash = 0;
  let fees = 0;
  const held = new Map<string, number>();
  for (const { symbol, direction, price, size, fee } of run.fills) {
    const { unitValue } = instruments.find((i) => i.symbol === symbol)!;
    const signed = direction === BUY ? size : -size;
    cash -= signed * price * unitValue;
    fees += fee;
    held.set(symbol, (held.get(symbol) ?? 0) + signed);
  }
  for (const [symbol, lots] of held) cash += lots * (lastPrices.get(symbol) ?? 0) * instruments.find((i) => i.symbol === symbol)!.unitValue;
  return { fees: fees / 1e8, net: (cash - fees) / 1e8 };
}
