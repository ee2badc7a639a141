/** `testStrategy`: one strategy on a few rows or on a market drawn from a seed, for unit tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { durationOf } from '../../base/time/duration.ts';
import { defaultConfig } from '../../config/defaults.ts';
import { loadConfig } from '../../config/load.ts';
import { COMMANDS, DIRECTIONS, EFFECTS, ORDER_TYPES, PLACE_SPOT, SIDES } from '../../domain/codes.ts';
import type { CommandName, EffectName, OrderTypeName } from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import { formatLots, formatTicks, type Instrument } from '../../domain/instrument.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import type { BotConfig } from '../../config/model.ts';
import type { AnyStrategy } from '../../engine/strategy/definition/define.ts';
import type { RunReport, ReportedFill, StrategyFailure } from '../../report/run-report.ts';
import { synthTape } from '../../tape/synth/synth.ts';
import { synthSymbols } from '../market/synthetic.ts';
import { instrumentsOf } from '../setup/instruments/instruments.ts';
import type { CommandFate } from './fault-port.ts';
import type { LoggedLine, SentCommand, SentOrder } from './record.ts';
import { writeRows, type MarketRow } from './written-rows.ts';
import { runRecorded, type HeldPosition } from './recorded-run.ts';

/** A command on its way to the venue. Prices and sizes are decimal strings, null where the command has none. */
export interface VenueCommand {
  /** 1 for the first command of the test. */
  readonly nth: number;
  /** What it asks for. */
  readonly kind: CommandName;
  /** As the venue names it. */
  readonly symbol: string;
  /** LONG or SHORT; for spot BUY or SELL. */
  readonly side: string;
  /** OPEN adds to the leg, CLOSE takes from it. */
  readonly effect: EffectName;
  /** LIMIT, MARKET, … */
  readonly type: OrderTypeName;
  /** Limit price; null without one. */
  readonly price: string | null;
  /** In base coin; null without one. */
  readonly size: string | null;
}

/**
 * The answer to one command; undefined: what the simulated venue says.
 * - `{ refuse: 'insufficient-balance' }`: the venue refuses it
 * - `'unsent'`: it never left, which is known
 * - `'lost'`: it never arrived, and there was no answer
 * - `'unknown'`: it arrived and was executed, and there was no answer
 * - `{ lateMs: 500 }`: its answer comes so much later
 *
 * `'lost'` and `'unknown'` need `polled: true`: only reads can find out what became of the command.
 */
export type VenueAnswer =
  | { readonly refuse: Reason; readonly message?: string }
  | { readonly lateMs: number }
  | 'unsent'
  | 'lost'
  | 'unknown';

/** The market of a test (`rows` or `seed`), what the strategy is given, and what the venue answers. */
export interface StrategyTestOptions {
  /** The market, row by row. Either this or `seed`. */
  readonly rows?: readonly MarketRow[] | undefined;
  /** A synthetic market: the same seed gives the same market. */
  readonly seed?: number | undefined;
  /** How long the synthetic market lasts. Default "10m". */
  readonly duration?: string | undefined;
  /** The last quotes stay so much longer after the last row. Default 0. */
  readonly rest?: string | undefined;
  /** Symbols that the strategy trades. Default: those of the rows; BTCUSDT with a seed. */
  readonly symbols?: readonly string[] | undefined;
  /** Parameters of the strategy; those that are missing have their defaults. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** A configuration file. Default: the built-in defaults. */
  readonly config?: string | undefined;
  /** Single keys of the configuration: `{ 'risk.maxOpenOrders': 2 }`. */
  readonly set?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** True: the strategy sees the market through polls, as it does live. Default false: it sees every row at once. */
  readonly polled?: boolean | undefined;
  /** Milliseconds since 1970 of time 0. Default 2024-01-01T00:00Z. */
  readonly start?: number | undefined;
  /** Timeframe of rows that are bars. Default "1m". */
  readonly bars?: string | undefined;
  /** When the strategy is created again with what it saved, as after a restart of the bot: milliseconds after the beginning, or "30s". */
  readonly restart?: number | string | undefined;
  /** Calls of `onSignal`, each at its time after the beginning. One before the bot has started is not heard. */
  readonly signals?: readonly TestSignal[] | undefined;
  /** Decides what the venue answers to each command, instead of the simulator. */
  readonly venue?: ((command: VenueCommand) => VenueAnswer | undefined) | undefined;
  /** True: an error thrown by a handler does not fail the test; it is in `errors`. */
  readonly allowErrors?: boolean | undefined;
}

/** What a program outside says to the strategy. */
export interface TestSignal {
  /** Milliseconds after the beginning, or a text such as "30s". */
  readonly at: number | string;
  /** The text that `onSignal` gets. */
  readonly text: string;
}

/** What a strategy did in a test. Prices and sizes are decimal strings, times are milliseconds since the beginning. */
export interface StrategyTest {
  /** Orders in the order they were placed, each with its state at the end. */
  readonly orders: readonly SentOrder[];
  /** All commands: orders, changes, cancels. */
  readonly commands: readonly SentCommand[];
  /** Fills in the order of time, with fee and liquidity. */
  readonly fills: readonly TestFill[];
  /** Legs held at the end, by the venue's books. */
  readonly positions: readonly HeldPosition[];
  /** Number of orders that rest at the venue at the end. */
  readonly resting: number;
  /** How often each of our own rules refused an intent. */
  readonly refused: Readonly<Record<string, number>>;
  /** What the strategy wrote with `ctx.log`. */
  readonly logs: readonly { readonly at: number; readonly says: string; readonly fields: Readonly<Record<string, unknown>> }[];
  /** Errors that handlers threw, in words. */
  readonly errors: readonly string[];
  /** Set if the strategy was stopped because of its errors. */
  readonly failed: readonly StrategyFailure[];
  /** All lines of the bot's log. */
  readonly lines: readonly LoggedLine[];
  /** The same report that `tickwright backtest` prints. */
  readonly report: RunReport;
}

/** A fill, `at` milliseconds after the beginning of the test. */
export interface TestFill extends ReportedFill {
  /** Milliseconds after the beginning of the test. */
  readonly at: number;
}

const START = Date.UTC(2024, 0, 1);

/** Runs `strategy` on the rows or the synthetic market. The engine and the venue are those of a backtest. @throws Error, Failure */
export async function testStrategy(strategy: AnyStrategy, options: StrategyTestOptions): Promise<StrategyTest> {
  const { allowErrors = false, start = START } = options;
  if ((options.rows === undefined) === (options.seed === undefined))
    throw new RangeError('testStrategy: either rows or seed was expected, found ' + (options.rows === undefined ? 'neither' : 'both'));
  const config = configOf(options);
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-test-'));
  try {
    const tape = join(folder, 'tape');
    writeMarket(tape, config, options);
    const { positions, record, report, resting } = await runRecorded({
      strategy,
      params: options.params ?? {},
      symbols: options.symbols ?? [],
      tape,
      start,
      config,
      everyTick: options.polled !== true,
      seed: options.seed ?? config.seed,
      restartAt: options.restart === undefined ? undefined : start + timeOf(options.restart),
      signals: options.signals?.map(({ at, text }) => ({ at: start + timeOf(at), text })),
      faults: options.venue && { command: answers(options.venue, options.polled === true), read: () => null },
    });
    const errors = record.lines.filter(({ event }) => event === 'strategy-error').map(errorOf);
    if (errors.length > 0 && !allowErrors) throw new Error(`${strategy.name}: ${errors[0]}`);
    return {
      orders: record.orders,
      commands: record.commands,
      fills: report.fills.map((fill) => ({ ...fill, at: fill.time - start })),
      positions,
      resting,
      refused: report.orders.refused,
      logs: record.lines.filter(({ event }) => event === 'strategy-log').map(saidOf),
      errors,
      failed: report.failed,
      lines: record.lines,
      report,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf({ config, set }: StrategyTestOptions): BotConfig {
  if (config === undefined && set === undefined) return defaultConfig();
  const pairs = Object.entries(set ?? {}).map(([key, value]) => `${key}=${value}`);
  return loadConfig({ file: config ?? null, env: {}, set: pairs }).config;
}

function writeMarket(tape: string, config: BotConfig, options: StrategyTestOptions): void {
  const { duration = '10m', rest = '0s', seed, start = START, symbols = [] } = options;
  if (seed !== undefined) {
    const known = instrumentsOf(config.instruments);
    const wanted = symbols.length === 0 ? ['BTCUSDT'] : symbols.map((name) => name.replace(/^spot:/, ''));
    const chosen = wanted.map((symbol) => {
      const found = known.find((one) => one.symbol === symbol && one.product === 'futures');
      if (found !== undefined) return found;
      throw new RangeError(`symbols: an instrument of the configuration was expected, found ${symbol}`);
    });
    synthTape(tape, { symbols: synthSymbols(chosen), seed, start, seconds: msOf('duration', duration) / 1000 });
    return;
  }
  const symbol = (symbols[0] ?? 'BTCUSDT').replace(/^spot:/, '');
  const rows = options.rows ?? [];
  writeRows(tape, { rows: rested(rows, msOf('rest', rest)), symbol, start, barMs: msOf('bars', options.bars ?? '1m') });
}

/** The rows, and the last quote once more after a rest. */
function rested(rows: readonly MarketRow[], restMs: number): readonly MarketRow[] {
  const last = rows.findLast((row) => 'bid' in row);
  const end = rows.at(-1);
  if (restMs === 0 || end === undefined) return rows;
  if (last === undefined) throw new RangeError('rest: a quote among the rows was expected, found none');
  return [...rows, { ...last, at: (typeof end.at === 'number' ? end.at : durationOf(end.at)) + restMs }];
}

function timeOf(at: number | string): number {
  return typeof at === 'number' ? at : msOf('at', at);
}

function msOf(name: string, text: string): number {
  const ms = durationOf(text);
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new RangeError(`${name}: a duration such as "10m" was expected, found ${JSON.stringify(text)}`);
}

function answers(
  venue: (command: VenueCommand) => VenueAnswer | undefined,
  isPolled: boolean,
): (command: Command, instruments: readonly Instrument[]) => CommandFate | null {
  let nth = 0;
  return (command, instruments) => {
    const answer = venue(shown(command, ++nth, instruments[command.instrument]!));
    if (answer === undefined) return null;
    if (answer === 'unsent') return { kind: 'unsent' };
    if (answer === 'lost' || answer === 'unknown') {
      if (!isPolled) throw new RangeError(`venue: "${answer}" needs polled: true, so that reads can find out what became of the command`);
      return { kind: answer === 'lost' ? 'lost' : 'unheard' };
    }
    if ('lateMs' in answer) return { kind: 'slow', ms: answer.lateMs };
    return { kind: 'refused', rejection: { reason: answer.refuse, code: '', message: answer.message ?? answer.refuse } };
  };
}

function shown(command: Command, nth: number, instrument: Instrument): VenueCommand {
  return {
    nth,
    kind: COMMANDS[command.kind] ?? 'none',
    symbol: instrument.symbol,
    side: (command.kind === PLACE_SPOT ? DIRECTIONS : SIDES)[command.side] ?? 'LONG',
    effect: EFFECTS[command.effect] ?? 'OPEN',
    type: ORDER_TYPES[command.type] ?? 'LIMIT',
    price: command.price === 0 ? null : formatTicks(command.price, instrument),
    size: command.size === 0 ? null : formatLots(command.size, instrument),
  };
}

function errorOf({ fields }: LoggedLine): string {
  return `${String(fields['handler'])}: ${String(fields['error'])}`;
}

function saidOf({ at, fields }: LoggedLine): StrategyTest['logs'][number] {
  const { strategy: _strategy, says, ...rest } = fields;
  return { at, says: String(says), fields: rest };
}
