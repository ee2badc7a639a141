/** A real backtest of a random strategy on random bars, and the twin that gets the commands which the bot sent. */
import { Random } from '../../../src/base/random.ts';
import * as codes from '../../../src/domain/codes.ts';
import type { RiskConfig } from '../../../src/config/model.ts';
import type { Command } from '../../../src/domain/orders/command.ts';
import { formatLots, formatMoney, formatTicks, type Instrument } from '../../../src/domain/instrument.ts';
import { defineStrategy } from '../../../src/engine/strategy/definition/define.ts';
import type { Market } from '../../../src/engine/intents/market-types.ts';
import type { StrategyContext } from '../../../src/engine/strategy/definition/types.ts';
import type { BacktestReport } from '../../../src/report/backtest-report.ts';
import { prepareBacktest } from '../../../src/run/backtest/backtest.ts';
import type { BacktestOptions, ReadingTerms } from '../../../src/run/setup/options.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { configWith } from '../../support/backtest/reference-backtest.ts';
import { TwinAccount } from './accounts.ts';
import { BarTwin, type TwinBar, type TwinCommand } from './twin.ts';

export const TAPE_START = 1_735_689_600_000;
const MINUTE = 60_000;
/** Length of the bars by symbol, their prices, and how far they move. */
const SYMBOLS = [
  { symbol: 'BTCUSDT', decimals: 1, barMs: MINUTE, from: 50_000 },
  { symbol: 'ETHUSDT', decimals: 2, barMs: 3 * MINUTE, from: 26_000 },
] as const;

export interface Case {
  readonly seed: number;
  /** Ticks by which a bar moves, roughly. */
  readonly move: number;
  readonly minutes: number;
  readonly symbols: number;
  readonly volume: 'none' | 'thin' | 'wide';
  /** Ticks. */
  readonly spread: number;
  readonly deposit: string;
  readonly leverage: number;
  readonly isBold: boolean;
  /** Of a hundred bars so many are missing. */
  readonly missing: number;
  /** Ticks of the trailing stops of a strategy that enters with them alone; 0 for one that does anything else. */
  readonly trail: number;
}

/** Writes the tape, and gives the bars by their end, then symbol. */
export function writeBars(folder: string, { seed, move, minutes, symbols, volume, missing, trail }: Case): TwinBar[] {
  const random = new Random(seed);
  const writer = new TapeWriter(folder, { overwrite: true });
  const all: TwinBar[] = [];
  for (const [symbol, { symbol: name, decimals, barMs, from }] of SYMBOLS.slice(0, symbols).entries()) {
    const stream = writer.stream(name, 'bars', { priceDecimals: decimals, sizeDecimals: 3 }, barMs);
    let price: number = from;
    for (let start = TAPE_START; start + barMs <= TAPE_START + minutes * MINUTE; start += barMs) {
      const open = random.below(4) === 0 ? price + random.below(move) - (move >> 1) : price;
      const close = open + random.below(2 * move + 1) - move;
      const high = Math.max(open, close) + random.below(move);
      const low = Math.min(open, close) - random.below(move);
      price = close;
      const lots = volume === 'none' ? 0 : volume === 'thin' ? 1 + random.below(40) : 1_000_000;
      if (random.below(100) < missing) continue;
      const step = trail > 0 ? 5 : 1;
      stream.bar(start, open * step, high * step, low * step, close * step, lots);
      all.push({ symbol, start, end: start + barMs, open, high, low, close, volume: lots });
    }
  }
  writer.finish();
  return all.toSorted((a, b) => a.end - b.end || a.symbol - b.symbol);
}

/** What the strategy sees at the end of a bar: legs of every market, and the equity. */
export interface View {
  readonly time: number;
  readonly symbol: string;
  readonly lots: readonly number[];
  readonly equity: string;
}

/** A command and the reason for it. */
interface Sent extends Command {
  readonly reason: string;
}

export interface RealRun {
  readonly report: BacktestReport;
  readonly instruments: readonly Instrument[];
  readonly commands: Sent[];
  readonly views: View[];
}

const BOLD: ReadingTerms = { fillModel: 'through', moreMs: 0, spreadFactor: 1, isBold: true, words: '' };

/** How the case is run on its tape; `risk`: further limits. */
export function optionsOf(tape: string, given: Case, risk: Partial<RiskConfig> = {}): BacktestOptions {
  const base = configWith({
    risk: { maxOrderSize: '50', maxPosition: '500', priceCollar: '0.5', maxOpenOrders: 50, ...risk },
    simulation: { deposits: { USDT: given.deposit }, leverage: given.leverage },
    // The bot follows a price in doubles: with ticks of a half they are exact.
    ...(given.trail > 0 ? { contract: { tickSize: '0.5' } } : {}),
  });
  const funding = { ...base.simulation.funding, model: 'constant' as const, everyMs: 10 * MINUTE, rate: '0.0003' };
  return {
    strategies: [],
    tape,
    config: { ...base, simulation: { ...base.simulation, funding } },
    everyTick: false,
    speed: 1,
    seed: given.seed,
    spread: { kind: 'fixed', value: given.spread / 10 },
    ...(given.isBold ? { reading: BOLD } : {}),
  };
}

export async function realRun(tape: string, given: Case): Promise<RealRun> {
  const commands: Sent[] = [];
  const views: View[] = [];
  const backtest = await prepareBacktest(optionsOf(tape, given), {
    setups: (instruments) => [
      {
        strategy: randomOnBars(given, views),
        instruments: instruments.flatMap(({ index, product }) => (product === 'futures' ? [index] : [])),
      },
    ],
    journal: (journal) =>
      Object.assign(Object.create(journal) as typeof journal, {
        command: (...[command, strategy, reason]: Parameters<typeof journal.command>): void => {
          commands.push({ ...command, reason });
          journal.command(command, strategy, reason);
        },
      }),
  });
  return { report: backtest.run(), instruments: backtest.instruments, commands, views };
}

function randomOnBars({ seed, move, trail }: Case, views: View[]): ReturnType<typeof defineStrategy> {
  return defineStrategy({
    name: 'anything',
    create() {
      const random = new Random(seed + 1);
      return {
        // Once a bar, at the close, if that is another price.
        onQuote(market, ctx) {
          const lots = ctx.markets.flatMap(({ long, short }) => [long.lots, short.lots]);
          views.push({ time: ctx.now, symbol: market.symbol, lots, equity: ctx.account.equity.toFixed(8) });
          if (trail > 0) return enter(random, { move, trail }, market, ctx);
          act(random, move, market, ctx);
          if (random.below(6) === 0) act(random, move, ctx.markets[random.below(ctx.markets.length)]!, ctx);
        },
      };
    },
  });
}

/** One random intent. */
export function act(random: Random, move: number, market: Market, ctx: StrategyContext): void {
  const below = (n: number): number => random.below(n);
  const side = below(2) === 0 ? 'LONG' : 'SHORT';
  const sign = side === 'LONG' ? 1 : -1;
  const away = (): number => (1 + below(2 * move)) * market.tick;
  const size = (1 + below(25)) * market.lot;
  const leg = side === 'LONG' ? market.long : market.short;
  const some = market.orders[below(Math.max(1, market.orders.length))];
  const near = market.last - sign * (below(move) - (move >> 2)) * market.tick;
  const what = below(12);
  if (what < 2) ctx.limit(market, side, 'OPEN', near, size, below(3) === 0);
  else if (what === 2 && leg.free > 0) ctx.limit(market, side, 'CLOSE', market.last + sign * away(), leg.free);
  else if (what === 3) ctx.open(market, side, { size });
  else if (what === 4 && leg.free > 0) ctx.close(market, side);
  else if (what < 7)
    ctx.open(market, side, { size, stopLoss: market.last - 2 * sign * away(), takeProfit: market.last + 2 * sign * away() });
  else if (what === 7) ctx.open(market, side, { size, limit: near, stopLoss: near - sign * away(), takeProfit: near + sign * away() });
  else if (what === 8) ctx.placeTrigger({ market, side, size, trigger: market.last + (below(2) === 0 ? sign : -sign) * away() });
  else if (what === 9) {
    const trigger = market.last + sign * away();
    ctx.placeTrigger({ market, side, size, trigger, stopLoss: trigger - sign * away(), takeProfit: trigger + sign * away() });
  } else if (what === 10 && some !== undefined) ctx.cancel(some.number);
  else if (what === 11 && below(3) === 0) ctx.cancelAll(market);
}

/** Managed trades with a trailing stop, which the bot watches and closes inside the bar. */
export function enter(random: Random, { move, trail }: Pick<Case, 'move' | 'trail'>, market: Market, ctx: StrategyContext): void {
  if (random.below(3) > 0 || ctx.trades(market).length > 0) return;
  const side = random.below(2) === 0 ? 'LONG' : 'SHORT';
  const sign = side === 'LONG' ? 1 : -1;
  const limit = random.below(2) === 0 ? undefined : market.last - sign * (1 + random.below(move)) * market.tick;
  ctx.enter({
    market,
    side,
    size: (1 + random.below(25)) * market.lot,
    limit,
    trailing: { distance: trail * market.tick },
    reason: 'trail',
  });
}

const KINDS: Readonly<Record<number, TwinCommand['kind']>> = {
  [codes.PLACE]: 'place',
  [codes.PLACE_TRIGGER]: 'trigger',
  [codes.CANCEL]: 'cancel',
  [codes.CANCEL_TRIGGER]: 'cancel',
};

/** The same commands, played by the twin. */
export function twinRun(bars: readonly TwinBar[], given: Case, { commands: all, instruments }: RealRun): { twin: BarTwin; views: View[] } {
  // What the bot closes inside a bar the twin knows by itself.
  const commands = all.filter(({ reason }) => reason !== 'trailing-stop');
  const futures = instruments.filter(({ product }) => product === 'futures');
  const account = new TwinAccount(futures, BigInt(given.deposit) * 100_000_000n, given.leverage);
  const spreadOf = (symbol: number): number => Math.round(given.spread / 10 / Number(futures[symbol]!.tickSize));
  const twin = new BarTwin(account, {
    spread: (symbol) => (given.spread === 0 ? 0 : Math.max(1, spreadOf(symbol))),
    funding: { everyMs: 10 * MINUTE, rate: 30_000n },
    reading: given.isBold ? 'better' : 'worse',
  });
  const views: View[] = [];
  const ends = [...new Set(bars.map(({ end }) => end))];
  let next = 0;
  for (const end of ends) {
    const ended = bars.filter((bar) => bar.end === end);
    for (const bar of ended) twin.play(bar);
    twin.settle(ended);
    const { state } = twin;
    for (const bar of ended) {
      const lots = state.account.legs.flatMap((sides) => sides.map((leg) => leg.lots));
      views.push({ time: end, symbol: futures[bar.symbol]!.symbol, lots, equity: moneyText(state.account.equity()) });
    }
    for (; next < commands.length && commands[next]!.time <= end; next++) {
      if (commands[next]!.time !== end) throw new Error(`a command at ${commands[next]!.time}, where no bar ends`);
      twin.command(twinCommand(commands[next]!, given.trail));
    }
  }
  return { twin, views };
}

function twinCommand(c: Sent, trail: number): TwinCommand {
  const kind = KINDS[c.kind];
  if (kind === undefined) throw new Error(`the twin has no ${codes.COMMANDS[c.kind]!}`);
  return {
    time: c.time,
    kind,
    ref: kind === 'cancel' ? c.target : c.seq,
    symbol: c.instrument,
    side: c.side,
    isOpen: c.effect === codes.OPEN,
    price: c.type === codes.MARKET ? 0 : c.price,
    lots: c.size,
    isPostOnly: c.force === 1,
    trigger: c.trigger,
    takeProfit: c.takeProfit,
    stopLoss: c.stopLoss,
    trail: c.reason === 'trail' ? trail : 0,
  };
}

export const moneyText = (units: bigint): string => formatMoney(Number(units));

/** Fills as lines: time, market, leg, direction, size, price, fee, maker or taker. */
export function twinFills(twin: BarTwin, instruments: readonly Instrument[]): string[] {
  const futures = instruments.filter(({ product }) => product === 'futures');
  return twin.state.fills.map(({ time, symbol, side, isOpen, price, lots, fee, isTaker }) => {
    const instrument = futures[symbol]!;
    const direction = codes.DIRECTIONS[codes.directionOf(side, isOpen ? codes.OPEN : codes.CLOSE)]!;
    const [size, at] = [formatLots(lots, instrument), formatTicks(price, instrument)];
    return `${time} ${instrument.symbol} ${codes.SIDES[side]!} ${direction} ${size} ${at} ${moneyText(fee)} ${isTaker ? 'taker' : 'maker'}`;
  });
}

export const realFills = ({ report }: RealRun): string[] =>
  report.fills.map(
    ({ time, symbol, positionSide, side, size, price, fee, liquidity }) =>
      `${time} ${symbol} ${positionSide} ${side} ${size} ${price} ${fee} ${liquidity}`,
  );
