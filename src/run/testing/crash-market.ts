/** The market of a crashtest as a tape: a synthetic one, with the incidents of the plan. */
import type { Instrument } from '../../domain/instrument.ts';
import { SynthMarket } from '../../tape/synth/synth.ts';
import { TapeWriter } from '../../tape/write.ts';
import { synthSymbols } from '../market/synthetic.ts';
import type { CrashPlan, MarketIncident } from './crash-plan.ts';

/** How the rows of a moment differ from the synthetic ones. */
interface Weather {
  /** Added to the price, as a share, for good. */
  moved: number;
  /** Added to the times, for good, milliseconds. */
  delayed: number;
  /** Rows that the running incident still takes. */
  left: number;
  now: MarketIncident | null;
}

/** Rows of one symbol and second, about: the share of an incident becomes a row number. */
const ROWS_A_SECOND = 200;

/** Writes the market of `plan` to `folder`, beginning at `start`. */
export function writeCrashMarket(folder: string, plan: CrashPlan, instruments: readonly Instrument[], start: number): void {
  const market = new SynthMarket({ symbols: synthSymbols(instruments), seed: plan.seed, start: 0 });
  const writer = new TapeWriter(folder, { source: `crashtest, seed ${plan.seed}` });
  try {
    const sinks = instruments.map((one) => ({
      one,
      trades: writer.stream(one.symbol, 'trades', one),
      quotes: writer.stream(one.symbol, 'quotes', one),
    }));
    const weather: Weather = { moved: 0, delayed: 0, left: 0, now: null };
    const waiting = [...plan.incidents];
    const total = plan.seconds * ROWS_A_SECOND * instruments.length;
    const end = plan.seconds * 1000;
    for (let row = 0; market.nextTime < end; row++) {
      market.next();
      const next = waiting[0];
      if (weather.left === 0 && next !== undefined && next.at * total <= row) begin(weather, waiting.shift()!);
      const { one, trades, quotes } = sinks[market.symbol]!;
      const time = start + Math.floor(market.time * plan.stretch) + weather.delayed;
      if (market.isTrade) {
        const price = Math.max(1, Math.round(market.price * (1 + shiftOf(weather))));
        trades.trade(time, market.id, price * one.tickStep, market.size * one.lotStep, market.side);
      } else {
        const { bid, bidSize, ask, askSize } = quoteOf(market, weather);
        quotes.quote(time, bid * one.tickStep, bidSize * one.lotStep, ask * one.tickStep, askSize * one.lotStep);
        if (weather.left > 0 && --weather.left === 0) weather.now = null;
      }
    }
    writer.finish();
  } catch (error) {
    writer.abort();
    throw error;
  }
}

function begin(weather: Weather, incident: MarketIncident): void {
  if (incident.kind === 'gap') weather.moved = (1 + weather.moved) * (1 + incident.size) - 1;
  else if (incident.kind === 'halt') weather.delayed += incident.ms;
  else {
    weather.now = incident;
    weather.left = incident.rows;
  }
}

function shiftOf({ moved, now }: Weather): number {
  return now?.kind === 'spike' ? (1 + moved) * (1 + now.size) - 1 : moved;
}

interface Quote {
  bid: number;
  bidSize: number;
  ask: number;
  askSize: number;
}

function quoteOf(market: SynthMarket, weather: Weather): Quote {
  const factor = 1 + shiftOf(weather);
  const bid = Math.max(2, Math.round(market.bid * factor));
  const ask = bid + Math.max(1, market.ask - market.bid);
  const { bidSize, askSize } = market;
  switch (weather.now?.kind) {
    case 'crossed':
      return { bid: ask, bidSize, ask: bid, askSize };
    case 'locked':
      return { bid, bidSize, ask: bid, askSize };
    case 'no-bids':
      return { bid: 0, bidSize: 0, ask, askSize };
    case 'no-asks':
      return { bid, bidSize, ask: 0, askSize: 0 };
    case 'wide':
      return { bid: Math.max(1, Math.round(bid * 0.995)), bidSize, ask: Math.round(ask * 1.005), askSize };
    case 'thin':
      return { bid, bidSize: 1, ask, askSize: 1 };
    default:
      return { bid, bidSize, ask, askSize };
  }
}
