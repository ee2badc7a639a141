/**
 * Converts the venue's records to domain form: symbols to indexes, decimal strings to ticks, lots and money, words to codes. An invalid
 * market record is left out and counted. An invalid order, position or account fails the whole answer, because a missing one would be taken
 * as closed.
 */
import type { AnswerTo } from '../../contract/endpoints/endpoints.ts';
import * as codes from '../../domain/codes.ts';
import { parseLots, parseTicks, type Instrument } from '../../domain/instrument.ts';
import type {
  AccountReport,
  OrderReport,
  PositionReport,
  UnruledPosition,
  SpotStatus,
  StatsReport,
  TradeReport,
} from '../../domain/report.ts';
import { ScaleError } from '../../domain/amounts/scale.ts';
import { MONEY_DECIMALS, type Millis, type Ticks } from '../../domain/amounts/units.ts';
import { mapAll, mapEach, moneyOf, notNegative, numberOf, positive, statusOf, type DropCounts, type SymbolTable } from '../records.ts';

export type OrderRecord = AnswerTo<'pendingOrders'>['entrustedList'][number];
type PositionRecord = AnswerTo<'positions'>[number];
type AccountRecord = AnswerTo<'account'>;
type TradeRecord = AnswerTo<'trades'>[number];
type StatsRecord = AnswerTo<'tickers'>[number];

export function mapTrades(records: readonly TradeRecord[], symbols: SymbolTable, drops: DropCounts): TradeReport[] {
  return mapEach(records, symbols, drops, (record, instrument) => ({
    instrument: instrument.index,
    tradeId: record.tradeId,
    price: positive(parseTicks(record.price, instrument)),
    size: positive(parseLots(record.size, instrument)),
    aggressor: record.side === 'BUY' ? codes.BUY : codes.SELL,
    venueTime: record.ts as Millis,
  }));
}

export function mapStats(records: readonly StatsRecord[], symbols: SymbolTable, drops: DropCounts): StatsReport[] {
  return mapEach(records, symbols, drops, (record, instrument) => ({
    instrument: instrument.index,
    last: parseTicks(record.lastPrice, instrument),
    open: parseTicks(record.openPrice, instrument),
    high: parseTicks(record.highPrice, instrument),
    low: parseTicks(record.lowPrice, instrument),
    volume: Number(record.volume),
    venueTime: record.closeTime as Millis,
  }));
}

/** @throws ScaleError if an order of a configured symbol cannot be read */
export function mapOrders(records: readonly OrderRecord[], symbols: SymbolTable, drops: DropCounts): OrderReport[] {
  return mapAll(records, symbols, drops, (record, instrument) => {
    const side = record.posSide === 'LONG' ? codes.LONG : codes.SHORT;
    const effect = record.tradeSide === 'OPEN' ? codes.OPEN : codes.CLOSE;
    return {
      instrument: instrument.index,
      venueId: record.orderId,
      clientId: record.clientOid,
      side,
      effect,
      type: record.orderType === 'LIMIT' ? codes.LIMIT : codes.MARKET,
      price: record.price === '' || record.orderType === 'MARKET' ? (0 as Ticks) : notNegative(parseTicks(record.price, instrument)),
      size: notNegative(parseLots(record.size, instrument)),
      status: statusOf(record.status),
      averagePrice: numberOf(record.priceAvg),
      fee: moneyOf(record.fee),
      realised: moneyOf(record.totalProfits),
      createdAt: record.cTime as Millis,
      updatedAt: record.uTime as Millis,
    };
  });
}

/**
 * Rejects negative sizes, and two different records of one position side: one of them must be wrong. @throws ScaleError if a position
 * cannot be read
 */
export function mapPositions(records: readonly PositionRecord[], symbols: SymbolTable, drops: DropCounts): PositionReport[] {
  const reports = allPositions(records, symbols, drops);
  const legs = new Map<number, PositionReport>();
  for (const one of reports) {
    const leg = 2 * one.instrument + one.side;
    const other = legs.get(leg) ?? one;
    if (other.total !== one.total || other.available !== one.available) {
      throw new ScaleError('range', `expected one size for the position side, found two records with ${other.total} and ${one.total} lots`);
    }
    legs.set(leg, one);
  }
  return reports;
}

/** Positions that are held in symbols without an instrument. */
export function unruledPositions(records: readonly PositionRecord[], symbols: SymbolTable): UnruledPosition[] {
  const unruled = records.filter(({ symbol, total }) => symbols.get(symbol) === undefined && /[1-9]/.test(total));
  return unruled.map(({ symbol, holdSide, total }) => ({ symbol, side: holdSide === 'long' ? codes.LONG : codes.SHORT, size: total }));
}

function allPositions(records: readonly PositionRecord[], symbols: SymbolTable, drops: DropCounts): PositionReport[] {
  return mapAll(records, symbols, drops, (record, instrument) => {
    const total = notNegative(parseLots(record.total, instrument));
    const available = notNegative(parseLots(record.available, instrument));
    const locked = notNegative(parseLots(record.locked, instrument));
    if (total !== available + locked) {
      throw new ScaleError(
        'range',
        `${record.symbol}: expected total ${record.total} to be available ${record.available} + locked ${record.locked}`,
      );
    }
    return {
      instrument: instrument.index,
      side: record.holdSide === 'long' ? codes.LONG : codes.SHORT,
      total,
      available,
      locked,
      opening: parseLots(record.openDelegateSize, instrument),
      entryPrice: numberOf(record.openPriceAvg),
      margin: moneyOf(record.marginSize),
      marginMode: modeOf(record.marginMode),
      leverage: numberOf(record.leverage),
      realised: moneyOf(record.achievedProfits),
      unrealised: moneyOf(record.unrealizedPL),
      funding: moneyOf(record.totalFee),
      markPrice: numberOf(record.markPrice),
      liquidationPrice: Math.max(0, numberOf(record.liquidationPrice)),
      createdAt: record.cTime as Millis,
      updatedAt: record.uTime as Millis,
    };
  });
}

/** Returns the status of the listed spot instruments. */
export function mapSpotStatus(records: AnswerTo<'spotSymbols'>, instruments: readonly Instrument[]): SpotStatus[] {
  const status = new Map(records.map(({ symbol, status: word }) => [symbol, word]));
  const spot = instruments.filter(({ product, symbol }) => product === 'spot' && status.has(symbol));
  return spot.map(({ index, symbol }) => ({ instrument: index, status: status.get(symbol)!.toLowerCase() }));
}

/** Allowed difference between equity and its parts: the rounding of three amounts, in units of 10⁻⁸. */
const EQUITY_TOLERANCE = 3;

/** @throws ScaleError if the account cannot be read, or its equity is not the sum of its parts */
export function mapAccount(record: AccountRecord, instrument: Instrument): AccountReport {
  const equity = moneyOf(record.accountEquity);
  const available = moneyOf(record.available);
  const locked = moneyOf(record.locked);
  const unrealised = moneyOf(record.unrealizedPL);
  if (Math.abs(equity - available - locked - unrealised) > EQUITY_TOLERANCE + coarseness(record)) {
    throw new ScaleError('range', `expected accountEquity ${record.accountEquity} to be available + locked + unrealizedPL`);
  }
  return {
    instrument: instrument.index,
    equity,
    available,
    locked,
    unrealised,
    marginMode: modeOf(record.marginMode),
    longLeverage: numberOf(record.longLever),
    shortLeverage: numberOf(record.shortLever),
  };
}

/** Rounding error if the venue shows fewer decimals: half a unit of the coarsest last place for each of four parts, in units of 10⁻⁸. */
function coarseness(record: AccountRecord): number {
  const texts = [record.accountEquity, record.available, record.locked, record.unrealizedPL];
  const shown = texts.filter((text) => text.includes('.')).map((text) => text.length - text.indexOf('.') - 1);
  const decimals = Math.min(MONEY_DECIMALS, ...shown);
  return decimals === MONEY_DECIMALS ? 0 : 2 * 10 ** (MONEY_DECIMALS - decimals);
}

function modeOf(word: 'cross' | 'isolated'): number {
  return word === 'cross' ? codes.CROSS : codes.ISOLATED;
}
