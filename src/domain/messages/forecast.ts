/**
 * The forecast of what a flatten or a kill would do now, and what became of it: the engine computes it, the control plane and the journal
 * pass it on.
 */
import { counted } from '../../base/text/figures.ts';

/** One own order that is cancelled. */
export interface ForecastCancel {
  readonly number: number;
  readonly symbol: string;
  /** "LONG OPEN", or "BUY" of a spot market. */
  readonly what: string;
  readonly size: string;
  readonly state: string;
}

/** One leg that is closed. Prices, sizes and money are decimal strings, "" for unknown; money is in the quote coin. */
export interface ForecastClose {
  readonly symbol: string;
  readonly side: string;
  readonly size: string;
  /** Sizes of the market orders in the order in which they leave. */
  readonly orders: readonly string[];
  /** The best bid for a LONG leg, the best ask for a SHORT one, or else the mark price; which of them, and how old it is in milliseconds. */
  readonly price: string;
  readonly priceOf: 'book ticker' | 'mark price' | '';
  readonly ageMs: number | null;
  /** Size that the book ticker shows there. What is beyond fills at worse prices, which nothing shows. */
  readonly shown: string;
  /** Taker fee, and the distance of the price from the middle of bid and ask, both times the size. */
  readonly fee: string;
  readonly slippage: string;
  /** Size that live opening orders may still add before their cancel. */
  readonly mayGrow: string;
  /** Why it does not begin at once; "" if it does. */
  readonly waits: string;
}

export interface Forecast {
  readonly command: 'flatten' | 'kill';
  /** As in `status`: "bot", "symbol:BTCUSDT". */
  readonly scope: string;
  readonly time: number;
  /** The same command until then is compared with it. */
  readonly until: number;
  readonly cancels: readonly ForecastCancel[];
  readonly closes: readonly ForecastClose[];
  /** What it does not close, or not now, and why. */
  readonly stays: readonly string[];
  /** Sums of the closes; "" if one is unknown. */
  readonly fee: string;
  readonly slippage: string;
  /** Earliest time from the last own order to the proof that all is flat. */
  readonly proofMs: number;
}

/** What closing orders of one leg did. Figures as in `ForecastClose`; the slippage is against the middle when the first of them was made. */
export interface OutcomeClose {
  readonly symbol: string;
  readonly side: string;
  readonly size: string;
  readonly orders: number;
  readonly price: string;
  readonly fee: string;
  readonly slippage: string;
}

/** What a flatten or a kill that has ended did. */
export interface FlatOutcome {
  /** Orders whose cancel was asked for. */
  readonly cancels: number;
  /** Of these, what filled all the same: "order 17 0.010". */
  readonly filled: readonly string[];
  readonly closes: readonly OutcomeClose[];
  readonly fee: string;
  readonly slippage: string;
  /** From the command to the end of its last own order, and to the proof; null if it was ended before. */
  readonly lastOrderMs: number;
  readonly flatMs: number | null;
}

/** A forecast beside what became of it. */
export interface ForecastScore {
  readonly forecast: Forecast;
  readonly outcome: FlatOutcome;
  /** Where they differ, one sentence each. */
  readonly differs: readonly string[];
}

/** A flattening, or that of a `kill`, which has not ended. `since`: milliseconds since 1970. */
export interface Flattening {
  readonly scope: string;
  readonly by: string;
  readonly since: number;
  /** What is left to do, one phrase each. */
  readonly open: readonly string[];
}

/** A flattening that has ended. Times are milliseconds since 1970. */
export interface Flattened {
  readonly scope: string;
  readonly since: number;
  readonly time: number;
  /** False if somebody ended it before. */
  readonly isFlat: boolean;
  readonly by: string;
  /** What could not be closed, and what to do about it: positions in symbols without rules. */
  readonly left: readonly string[];
  /** Milliseconds from its begin to the end of its last own order. */
  readonly lastOrderMs: number;
  /** Beside its forecast; null if none was asked for before. */
  readonly score: ForecastScore | null;
}

/** Forecast and outcome beside each other. */
export function scoreText({ forecast, outcome, differs }: ForecastScore): string[] {
  const { closes, fee, slippage } = forecast;
  const legs = closes.map((one) => {
    const now = outcome.closes.find(({ symbol, side }) => symbol === one.symbol && side === one.side);
    const found = now === undefined ? 'not closed' : `${now.size} at ${now.price || 'an unknown price'}`;
    return `${one.symbol} ${one.side}: forecast ${one.size} at ${one.price || 'an unknown price'}; outcome ${found}`;
  });
  const sums = `forecast ${costText(forecast.cancels.length, fee, slippage)}; outcome ${costText(outcome.cancels, outcome.fee, outcome.slippage)}`;
  return [sums, ...legs, ...(differs.length === 0 ? ['it did what was forecast'] : differs)];
}

function costText(cancels: number, fee: string, slippage: string): string {
  return `${counted(cancels, 'cancel')}, fees ${fee || 'unknown'}, slippage ${slippage || 'unknown'}`;
}
