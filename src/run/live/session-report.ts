/** The report of a live session, in the form of that of a backtest. */
import { reachOf } from '../../engine/strategy/definition/universe.ts';
import { CLOSE, directionOf, LONG, SELL } from '../../domain/codes.ts';
import { Attribution } from '../../domain/attribution.ts';
import { priceOf, tradedName, type Instrument } from '../../domain/instrument.ts';
import { formatScaledShort } from '../../domain/amounts/scale.ts';
import { RATE_DECIMALS } from '../../domain/amounts/units.ts';
import { refusalsOf } from '../../engine/status.ts';
import { nameOf } from '../../engine/strategy/definition/setup.ts';
import { limitFor } from '../../config/model.ts';
import { defaultConfig } from '../../config/defaults.ts';
import { notesAbout } from '../../report/notes.ts';
import { backtestReport, type BacktestReport } from '../../report/backtest-report.ts';
import { executionOf } from '../../report/decisions.ts';
import { EquityCurve } from '../../report/equity/equity-curve.ts';
import { ChartCollector, windowsOf, type ChartedTrade } from '../../report/market/chart-collector.ts';
import { chartLevels } from '../../report/market/chart-bars.ts';
import type { MarketChart } from '../../report/market/market-chart.ts';
import { PeriodSeries, periodFor } from '../../report/equity/period-series.ts';
import { RunCounters, type SeenMarket } from '../backtest/counts/run-counters.ts';
import { shownParams } from '../setup/strategy/shown-params.ts';
import type { Approved, Command } from '../../domain/orders/command.ts';
import type { LiveSessions } from './facts/read-sessions.ts';
import { sessionNotes } from './session-notes.ts';
import type { LegBooks } from './facts/leg-books.ts';
import type { LiveFill, LiveStep, Payment, SeenQuote, SeenTrade } from './facts/seen.ts';
import type { SessionFacts } from './facts/session-facts.ts';

const SAMPLES = 20_000;

/** Money at the end of a session, in 10⁻⁸. `unrealised` is without what was open at the start. */
interface LiveTotals {
  readonly realised: number;
  readonly unrealised: number;
  readonly fees: number;
  readonly funding: number;
  readonly net: number;
}

type Moment =
  | { readonly at: number; readonly order: 0; readonly quote: SeenQuote }
  | { readonly at: number; readonly order: 1; readonly trade: SeenTrade }
  | { readonly at: number; readonly order: 2; readonly step: LiveStep }
  | { readonly at: number; readonly order: 3; readonly fill: LiveFill }
  | { readonly at: number; readonly order: 4; readonly payment: Payment };

/** @throws Failure as readSessions */
export function sessionReport(live: LiveSessions): BacktestReport {
  return new SessionRun(live).report();
}

/** Replays a session in order of time, as a backtest plays its tape. */
class SessionRun {
  readonly #live: LiveSessions;
  readonly #facts: SessionFacts;
  readonly #instruments: readonly Instrument[];
  readonly #counters: RunCounters;
  readonly #seen: { bidTicks: number; askTicks: number; lastTicks: number }[];
  readonly #books: LegBooks;
  /** The parts of the strategies; null for one alone on the account. */
  readonly #attribution: Attribution | null;
  readonly #start: number;
  readonly #curve: EquityCurve;
  readonly #periods: PeriodSeries;
  #realised = 0;
  #fees = 0;
  #funding = 0;
  readonly #startValue: number;
  /** Equity by this report at the time of the last read of the account (E9). */
  #explained: number | null = null;

  constructor(live: LiveSessions) {
    this.#live = live;
    const { facts, strategies, startedAt, endedAt } = live;
    this.#facts = facts;
    this.#instruments = facts.instruments;
    this.#counters = new RunCounters(
      this.#instruments,
      this.#instruments.map(({ index }) => ({ instrument: index, mirrors: [] })),
    );
    this.#seen = this.#instruments.map(() => ({ bidTicks: 0, askTicks: 0, lastTicks: 0 }));
    this.#counters.follow(this.#seen satisfies readonly SeenMarket[]);
    this.#books = facts.books();
    this.#startValue = facts.startValue();
    this.#attribution = this.#attributionOf(namesOf(live));
    this.#start = facts.equity[0]?.equity ?? 0;
    this.#curve = new EquityCurve(this.#start);
    const traded = [...new Set(strategies.flatMap(reachOf))];
    this.#periods = new PeriodSeries({
      ms: periodFor(endedAt - startedAt),
      from: startedAt,
      start: this.#start,
      symbols: traded.length,
      priceOf: (k) => this.#mark(traded[k]!),
      onRow: (time) => this.#attribution?.sample(time),
    });
  }

  report(): BacktestReport {
    const { startedAt, endedAt, strategies, parts } = this.#live;
    const started = process.hrtime.bigint();
    const sampleMs = Math.max(1_000, Math.ceil((endedAt - startedAt) / SAMPLES));
    let nextAt = startedAt + sampleMs;
    const checkAt = this.#facts.equity.at(-1)?.at ?? Infinity;
    for (const moment of this.#moments()) {
      if (moment.at > checkAt) this.#explained ??= this.#equity();
      for (; nextAt <= moment.at && moment.at > startedAt; nextAt += sampleMs) this.#sample(nextAt);
      if (this.#periods.nextAt <= moment.at) this.#periods.take(moment.at, this.#equity());
      this.#take(moment);
    }
    const { unrealised, realised, fees, funding, net } = this.#end();
    this.#curve.sample(endedAt, this.#start + net, this.#books.at((k) => this.#mark(k)).exposure);
    this.#periods.end(endedAt, this.#start + net);
    this.#counters.watch.end();
    const traded = new Set(strategies.flatMap(reachOf));
    const { quotes, trades } = this.#facts;
    const status = parts.map((one) => one.status);
    return backtestReport({
      kind: 'session',
      failed: status.at(-1)!.strategies.flatMap(({ name, isDisabled, why }) => (isDisabled ? [{ strategy: name, why }] : [])),
      tape: {
        rows: quotes.length + trades.length,
        symbols: this.#instruments.filter(({ index }) => traded.has(index)).map(({ symbol }) => symbol),
        from: startedAt,
        to: endedAt,
      },
      config: this.#config(),
      orders: { ...this.#counters.counts(), refused: refusalsOf(status) },
      instruments: this.#instruments,
      fills: this.#counters.fills,
      brackets: this.#counters.brackets,
      managed: this.#counters.managed.closed(),
      excursions: this.#counters.watch.excursions,
      execution: executionOf(this.#counters.decisions, this.#counters.watch),
      market: (closed) => this.#charts(traded, closed),
      curve: this.#curve,
      periods: this.#periods,
      attribution: this.#attribution,
      realised,
      unrealised,
      fees,
      funding,
      notes: notesAbout('run', sessionNotes(this.#live, this.#start, this.#explained ?? this.#equity())),
      wallMs: Number(process.hrtime.bigint() - started) / 1e6,
    });
  }

  /** Everything in order of time; within a millisecond prices come first. */
  #moments(): Moment[] {
    const { quotes, trades, steps, fills, payments } = this.#facts;
    const moments: Moment[] = [
      ...quotes.map((quote): Moment => ({ at: quote.at, order: 0, quote })),
      ...trades.map((trade): Moment => ({ at: trade.at, order: 1, trade })),
      ...steps.map((step): Moment => ({ at: step.at, order: 2, step })),
      ...fills.map((fill): Moment => ({ at: fill.at, order: 3, fill })),
      ...payments.map((payment): Moment => ({ at: payment.at, order: 4, payment })),
    ];
    return moments.sort((a, b) => a.at - b.at || a.order - b.order);
  }

  #take(moment: Moment): void {
    if (moment.order === 0) this.#quote(moment.quote);
    else if (moment.order === 1) this.#seen[moment.trade.instrument]!.lastTicks = moment.trade.price;
    else if (moment.order === 2) this.#step(moment.step);
    else if (moment.order === 3) this.#fill(moment.fill);
    else this.#payment(moment.payment);
  }

  #payment({ instrument, side, amount }: Payment): void {
    this.#funding += amount;
    this.#attribution?.funded(instrument, side, amount);
  }

  #quote({ at, instrument, bid, ask }: SeenQuote): void {
    const seen = this.#seen[instrument]!;
    seen.bidTicks = bid;
    seen.askTicks = ask;
    this.#counters.watch.rows(instrument, Float64Array.of(at), Float64Array.of(bid), Float64Array.of(ask), 0, 1);
  }

  #step(step: LiveStep): void {
    const { journal } = this.#counters;
    if (step.kind === 'command') journal.command(step.command as Approved<Command>, step.strategy, step.reason);
    else if (step.kind === 'trade') journal.note('trade', step.data, step.at);
    else journal.ended(step.seq, step.how, 0, true, step.at);
  }

  #fill(fill: LiveFill): void {
    const { at, seq, belongsTo, what, instrument, side, effect, price, lots, fee, realised, liquidity, strategy } = fill;
    this.#books.take(instrument, side, effect === CLOSE, price, lots);
    this.#attribution?.filled(instrument, side, effect, price, lots, fee, strategy, seq > 0);
    this.#realised += realised;
    this.#fees += fee;
    const { fills, watch, decisions, managed } = this.#counters;
    if (belongsTo > 0) managed.paid(belongsTo, fee);
    const { unitValue } = this.#instruments[instrument]!;
    watch.fill(at, instrument, false, side, effect, price, lots);
    if (seq > 0) decisions.filled(seq, at, directionOf(side, effect) === SELL ? -1 : 1, price, lots, unitValue);
    const label = fills.labels.number(strategy, what);
    if (seq === 0) fills.labels.count(label);
    fills.add(at, instrument, side, effect, price, lots, fee, realised, liquidity, seq > 0 ? seq : -label);
  }

  /** Lots that were held before the first session belong to nobody here, at the first price that was seen. */
  #attributionOf(names: readonly string[]): Attribution | null {
    const isAlone = names.length < 2 && !this.#facts.fills.some(({ what }) => what === 'external');
    if (names.length === 0 || isAlone) return null;
    const instruments = this.#instruments;
    const coin = instruments[0]!.quoteCoin;
    const attribution = new Attribution({ instruments, strategies: names, coin, markOf: (k) => this.#mark(k) });
    const holdings = [...this.#facts.startLegs].map(([leg, { lots }]) => {
      const { symbol, unitValue } = instruments[leg >> 1]!;
      const entryValue = Math.round(this.#facts.firstMid(leg >> 1) * lots * unitValue);
      return { symbol, leg: leg & 1, lots: (leg & 1) === LONG ? lots : -lots, entryValue };
    });
    attribution.restore([{ name: '', fills: 0, realised: 0, fees: 0, funding: 0, holdings }]);
    return attribution;
  }

  #mark(instrument: number): number {
    const { bidTicks, askTicks, lastTicks } = this.#seen[instrument]!;
    return bidTicks > 0 && askTicks > 0 ? (bidTicks + askTicks) / 2 : lastTicks;
  }

  #unrealised(): number {
    return this.#books.at((k) => this.#mark(k)).unrealised;
  }

  #equity(): number {
    return this.#start + this.#realised - this.#fees + this.#funding + this.#unrealised() - this.#startValue;
  }

  #sample(time: number): void {
    this.#curve.sample(time, this.#equity(), this.#books.at((k) => this.#mark(k)).exposure);
  }

  #end(): LiveTotals {
    const unrealised = this.#unrealised() - this.#startValue;
    const [realised, fees, funding] = [this.#realised, this.#fees, this.#funding];
    return { realised, unrealised, fees, funding, net: realised + unrealised - fees + funding };
  }

  #config(): Record<string, unknown> {
    const { parts, strategies } = this.#live;
    const { head } = parts.at(-1)!;
    const { poll, risk, limits, seed } = { ...defaultConfig(), ...head.config };
    return {
      strategies: strategies.map(({ name, strategy, params, instruments }) => ({
        name,
        params: shownParams(strategy, params),
        symbols: instruments.map((k) => tradedName(this.#instruments[k]!)),
      })),
      bot: head.config.bot,
      sessions: parts.map(({ folder }) => folder),
      seed,
      poll,
      risk,
      ordersPerSecond: limitFor(limits, 'order'),
      instruments: this.#instruments.map((one) => ({
        symbol: one.symbol,
        product: one.product,
        tickSize: one.tickSize,
        lotSize: one.lotSize,
        makerFeeRate: formatScaledShort(one.makerFeeRate, RATE_DECIMALS),
        takerFeeRate: formatScaledShort(one.takerFeeRate, RATE_DECIMALS),
      })),
    };
  }

  #charts(traded: ReadonlySet<number>, trades: readonly ChartedTrade[]): MarketChart[] {
    const { startedAt, endedAt } = this.#live;
    const levels = chartLevels(Math.max(1, endedAt - startedAt), traded.size, 0);
    const windows = windowsOf(trades, levels);
    const collectors = new Map([...traded].map((k) => [k, new ChartCollector(levels, windows.get(this.#instruments[k]!.symbol))]));
    for (const { at, instrument, bid, ask } of this.#facts.quotes) collectors.get(instrument)?.add(at, (bid + ask) / 2);
    return [...collectors].map(([k, bars]) => bars.chart(this.#instruments[k]!.symbol, (ticks) => priceOf(ticks, this.#instruments[k]!)));
  }
}

/** The strategies that run, then those that no longer do and had fills. */
function namesOf({ strategies, facts }: LiveSessions): string[] {
  const names = [...strategies.map(nameOf), ...facts.fills.map(({ strategy }) => strategy)];
  return [...new Set(names)].filter((name) => name !== '');
}
