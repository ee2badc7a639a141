/**
 * Records what the orders of a flattening did, and the forecasts that people asked for before: the next flatten or kill of the same scope
 * is compared with its forecast. Forecasts survive a restart (recovery/durable/forecasts.ts); what orders did before it is not counted
 * then.
 */
import { assert } from '../../../base/failure/assert.ts';
import { SIDES } from '../../../domain/codes.ts';
import {
  scoreText,
  type FlatOutcome,
  type Flattened,
  type Forecast,
  type ForecastScore,
  type OutcomeClose,
} from '../../../domain/messages/forecast.ts';
import { formatLots, formatTicks, tradedName } from '../../../domain/instrument.ts';
import type { SavedHalt } from '../../../domain/messages/saved-halt.ts';
import { earned } from '../../state/account/balance.ts';
import type { Core } from '../../state/core.ts';
import type { Order } from '../../state/orders/orders.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Leg } from '../../state/records/leg.ts';
import { bothSides, moneyText, slippageOf, sumText } from './flat-money.ts';

/** Number of ended flattenings that are kept for the status. */
const REMEMBERED = 10;

/** Forecasts that are kept at most: one for each scope and command. */
export const KEPT_MOST = 20;

/** What one order filled. `worth`: price × lots in ticks, NaN if a price is unknown; `fee`: money, NaN while unknown. */
interface Filled {
  readonly context: InstrumentContext;
  lots: number;
  worth: number;
  fee: number;
}

/** Forecasts that wait for their command, and those of flattenings that go on. */
export interface SavedForecasts {
  readonly kept: readonly Forecast[];
  readonly running: readonly Forecast[];
}

interface Run {
  readonly forecast: Forecast | null;
  /** True if it began before the process did. */
  readonly isOlder: boolean;
  readonly cancels: Map<number, Filled>;
  readonly closes: Map<number, Filled & { readonly leg: Leg }>;
  /** By leg that was closed: twice the middle price when its first close was made, 0 if unknown. */
  readonly begun: Map<Leg, number>;
}

export class FlatRuns {
  readonly #core: Core;
  /** By command and scope. */
  readonly #kept = new Map<string, Forecast>();
  /** By scope. */
  readonly #runs = new Map<string, Run>();
  /** The newest flattenings that have ended, oldest first. */
  readonly ended: Flattened[] = [];
  /** False if nothing is being flattened: then calls for fills may be skipped. */
  isAny = false;

  constructor(core: Core) {
    this.#core = core;
  }

  keep(forecast: Forecast): void {
    const key = keyOf(forecast);
    this.#kept.delete(key);
    this.#kept.set(key, forecast);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > KEPT_MOST) this.#kept.delete(oldest);
    assert(this.#kept.size <= KEPT_MOST, 'forecasts that are kept are few', this.#kept.size);
  }

  /** A flattening begins. It takes the forecast of the same command, if that is not too old. */
  begin({ scope, since }: SavedHalt, command: Forecast['command']): void {
    const key = keyOf({ command, scope });
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    const forecast = kept !== undefined && since <= kept.until ? kept : null;
    const { journal, now } = this.#core;
    if (kept !== undefined) journal.note('forecast-taken', { command, scope, isCurrent: forecast !== null }, now);
    this.#run(scope, forecast, false);
  }

  #run(scope: string, forecast: Forecast | null, isOlder: boolean): void {
    this.#runs.set(scope, { forecast, isOlder, cancels: new Map(), closes: new Map(), begun: new Map() });
    this.isAny = true;
  }

  /** Undefined if there is none. */
  save(): SavedForecasts | undefined {
    const running = [...this.#runs.values()].flatMap(({ forecast }) => (forecast === null ? [] : [forecast]));
    const kept = [...this.#kept.values()];
    return kept.length + running.length === 0 ? undefined : { kept, running };
  }

  /** Called once, before the start. */
  restore({ kept, running }: SavedForecasts): void {
    assert(this.#kept.size + this.#runs.size === 0, 'forecasts are restored before there is one', this.#kept.size);
    for (const one of kept) this.keep(one);
    for (const one of running) this.#run(one.scope, one, true);
  }

  /** The flattening of the scope asked for the cancel of this order. */
  cancels(scope: string, { context, seq }: Order): void {
    const run = this.#runs.get(scope);
    if (run !== undefined && !run.cancels.has(seq)) run.cancels.set(seq, { context, lots: 0, worth: 0, fee: Number.NaN });
  }

  /** It closes the leg by order `seq`; 0 if that was refused. */
  closes(scope: string, context: InstrumentContext, leg: Leg, seq: number): void {
    const run = this.#runs.get(scope);
    if (run === undefined || seq === 0) return;
    if (!run.begun.has(leg)) run.begun.set(leg, bothSides(context));
    run.closes.set(seq, { context, leg, lots: 0, worth: 0, fee: Number.NaN });
  }

  /** An own order filled `lots` at `price` ticks (0: unknown). */
  filled(order: Order, lots: number, price: number): void {
    assert(lots > 0, 'a fill has lots above zero', lots, 'order', order.seq);
    for (const one of this.#of(order)) {
      one.lots += lots;
      one.worth += price > 0 ? price * lots : Number.NaN;
    }
  }

  /** The fees of the order are known: all so far. */
  booked(order: Order): void {
    for (const one of this.#of(order)) one.fee = -earned(order.context.instrument, 0, order.fee);
  }

  #of({ repeats, seq }: Order): Filled[] {
    return [...this.#runs.values()].flatMap(({ cancels, closes }) => {
      const one = closes.get(repeats || seq) ?? cancels.get(repeats || seq);
      return one === undefined ? [] : [one];
    });
  }

  /** The flattening has ended. `by`: "bot" if it is flat. */
  end({ scope, since }: SavedHalt, { by, left, lastOrderMs }: Pick<Flattened, 'by' | 'left' | 'lastOrderMs'>): void {
    const { journal, log, now } = this.#core;
    const run = this.#runs.get(scope);
    this.#runs.delete(scope);
    this.isAny = this.#runs.size > 0;
    const isFlat = by === 'bot';
    const score = run === undefined ? null : scoreOf(run, lastOrderMs, isFlat ? now - since : null);
    if (this.ended.push({ scope, since, time: now, isFlat, by, left, lastOrderMs, score }) > REMEMBERED) this.ended.shift();
    if (score === null) return;
    journal.note('forecast-scored', { score }, now);
    log.info('forecast-scored', { scope, command: score.forecast.command, text: scoreText(score).join('; ') });
  }
}

/** Null if there was no forecast. */
function scoreOf(run: Run, lastOrderMs: number, flatMs: number | null): ForecastScore | null {
  const { forecast, isOlder } = run;
  if (forecast === null) return null;
  const outcome = outcomeOf(run, lastOrderMs, flatMs);
  if (!isOlder) return { forecast, outcome, differs: differencesOf(forecast, outcome) };
  // Sums of a part are no sums.
  const part = { ...outcome, fee: '', slippage: '' };
  return { forecast, outcome: part, differs: ['the bot was started again meanwhile: what it did before that is not counted'] };
}

/** Of a forecast among those that are kept. */
export function keyOf({ command, scope }: Pick<Forecast, 'command' | 'scope'>): string {
  return `${command} ${scope}`;
}

function outcomeOf({ cancels, closes: orders, begun }: Run, lastOrderMs: number, flatMs: number | null): FlatOutcome {
  const closes = [...begun].map(([leg, both]): OutcomeClose => {
    const of = [...orders.values()].filter((one) => one.leg === leg);
    const { context } = of[0]!;
    const { instrument } = context;
    const [lots, worth, fee] = [
      sum(of.map((one) => one.lots)),
      sum(of.map((one) => one.worth)),
      sum(of.map((one) => (one.lots > 0 ? one.fee : 0))),
    ];
    return {
      symbol: tradedName(instrument),
      side: SIDES[leg.index & 1]!,
      size: formatLots(lots, instrument),
      orders: of.length,
      price: lots > 0 && worth > 0 ? formatTicks(Math.round(worth / lots), instrument) : '',
      fee: moneyText(fee),
      slippage: lots === 0 ? '0' : moneyText(slippageOf(context, leg, worth, lots, both)),
    };
  });
  const filled = [...cancels].filter(([, { lots }]) => lots > 0);
  return {
    cancels: cancels.size,
    filled: filled.map(([seq, { context, lots }]) => `order ${seq} ${formatLots(lots, context.instrument)}`),
    closes,
    fee: sumText(closes.map((one) => one.fee)),
    slippage: sumText(closes.map((one) => one.slippage)),
    lastOrderMs,
    flatMs,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

function differencesOf(forecast: Forecast, { cancels, closes, filled, flatMs }: FlatOutcome): string[] {
  const wanted = forecast.cancels.length;
  const found = new Map(closes.map((one) => [`${one.symbol} ${one.side}`, one]));
  const legs = forecast.closes.flatMap(({ symbol, side, size }) => {
    const name = `${symbol} ${side}`;
    const one = found.get(name);
    found.delete(name);
    if (one === undefined) return [`${name}: ${size} was to be closed, and no order of it was`];
    return Number(one.size) === Number(size) ? [] : [`${name}: ${one.size} was closed, the forecast was ${size}`];
  });
  return [
    ...(cancels === wanted ? [] : [`${cancels} of its orders were cancelled, the forecast was ${wanted}`]),
    ...filled.map((one) => `${one} filled before its cancel`),
    ...legs,
    ...[...found].map(([name, { size }]) => `${name}: ${size} was closed, which no forecast named`),
    ...(flatMs === null ? ['it was ended before it was flat'] : []),
  ];
}
