/** A small venue for simulator tests: instruments, accounts, commands by name, and a sink that records everything. */
import { CROSS, LIMIT, LONG, MARKET, OPEN, PLACE } from '../../../src/domain/codes.ts';
import { emptyCommand, type Command } from '../../../src/domain/orders/command.ts';
import { createInstrument, type Instrument, type InstrumentSpec } from '../../../src/domain/instrument.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import type { LiquidationStep } from '../../../src/sim/state/terms.ts';
import type { LedgerSink, SimFill, SimSpec } from '../../../src/sim/state/types.ts';
import { BTCUSDT } from '../specs.ts';

export const BTC: InstrumentSpec = { ...BTCUSDT, maxLeverage: 100, maintenanceRate: '0.005' };

export const ETH: InstrumentSpec = { ...BTC, symbol: 'ETHUSDT', baseCoin: 'ETH', tickSize: '0.01', minSize: '0.002' };

export const SPOT_BTC: InstrumentSpec = {
  ...BTC,
  product: 'spot',
  tickSize: '0.01',
  lotSize: '0.000001',
  minSize: '0.0001',
  minNotional: '5',
  makerFeeRate: '0.001',
  takerFeeRate: '0.001',
};

export function instrumentsOf(...specs: InstrumentSpec[]): Instrument[] {
  return specs.map((spec, index) => createInstrument(spec, index));
}

export interface Cash {
  readonly account: number;
  readonly coin: string;
  readonly amount: number;
  readonly why: string;
  readonly orderNo: number;
}

export class Recorder implements LedgerSink {
  readonly orders: number[] = [];
  readonly ends: { orderNo: number; how: number }[] = [];
  readonly fills: SimFill[] = [];
  readonly moves: Cash[] = [];
  readonly steps: LiquidationStep[] = [];

  order(orderNo: number): void {
    this.orders.push(orderNo);
  }

  ended(orderNo: number, how: number): void {
    this.ends.push({ orderNo, how });
  }

  fill(fill: SimFill): void {
    this.fills.push({ ...fill });
  }

  step(step: LiquidationStep): void {
    this.steps.push(step);
  }

  cash(account: number, coin: string, amount: number, why: string, orderNo: number): void {
    this.moves.push({ account, coin, amount, why, orderNo });
  }
}

/** By default one account of 100,000 USDT at 10× and the fill model `touch`. */
export function specOf(instruments: readonly Instrument[], given: Partial<SimSpec> = {}): SimSpec {
  const accounts = [{ name: 'demo', futures: '100000', spot: { USDT: '10000', BTC: '1' } }];
  return { instruments, accounts, fillModel: 'touch', leverage: 10, historyLimit: 100, keepTrades: 100, ...given };
}

export function venueOf(given: Partial<SimSpec> = {}, instruments = instrumentsOf(BTC)): { sim: VenueSim; log: Recorder } {
  const log = new Recorder();
  return { sim: new VenueSim(specOf(instruments, given), log), log };
}

/** A PLACE of 10 lots LONG OPEN: a LIMIT order with a price, else a MARKET order. */
export function order(given: Partial<Command> = {}): Command {
  const type = (given.price ?? 0) > 0 ? LIMIT : MARKET;
  return { ...emptyCommand(), kind: PLACE, side: LONG, effect: OPEN, marginMode: CROSS, size: 10, type, ...given };
}
