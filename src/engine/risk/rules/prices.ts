/** Rules about prices: of the order, of its bracket, and of the market it would meet. @hot */
import * as codes from '../../../domain/codes.ts';
import { waitsForTrigger } from '../../../domain/orders/command-traits.ts';
import type { Command } from '../../../domain/orders/command.ts';
import { formatTicks } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { OrderRequest, RiskRule, RuleRow, RuleSetting } from './rule.ts';

const { BUY, CLOSE, LONG, directionOf, PLACE_SPOT } = codes;
const NO_PRICE = 'no quote or trade has been seen yet, so there is no price to compare with';

/**
 * A limit price does not cross the opposite best price by more than the collar. This catches a mistyped price. Resting prices are checked
 * by max-distance. An opening market order needs an opposite price within the collar of the mid price.
 */
class PriceCollarRule implements RiskRule {
  readonly name = 'price-collar';
  readonly #collar: number;

  constructor({ number }: RuleSetting) {
    this.#collar = number('priceCollar');
  }

  allows({ command, context }: OrderRequest): boolean {
    const price = command.price;
    if (price === 0) return command.effect === CLOSE || this.#allowsMarket(command, context);
    const met = opposite(command, context);
    if (directionOf(command.side, command.effect) === BUY) return met > 0 && price <= met * (1 + this.#collar);
    return met > 0 && price >= met * (1 - this.#collar);
  }

  /** If only trades are known there is no price to compare with; stale-data checks that a price is known at all. */
  #allowsMarket(command: Command, context: InstrumentContext): boolean {
    if (waitsForTrigger(command.kind) || command.kind === PLACE_SPOT) return true;
    const reference = context.judged.reference;
    return Math.abs(opposite(command, context) - reference) <= reference * this.#collar;
  }

  why({ command, context }: OrderRequest): string {
    // hot-ok: only after a refusal
    const { instrument } = context;
    const met = opposite(command, context);
    const shown = formatTicks(Math.round(met), instrument);
    const percent = this.#collar * 100;
    if (command.price === 0) {
      const mid = formatTicks(Math.round(context.judged.reference), instrument);
      return `a market order would meet ${shown}, at most ${percent} % from ${mid}`;
    }
    if (met <= 0) return NO_PRICE;
    const where = directionOf(command.side, command.effect) === BUY ? 'above' : 'below';
    return `at most ${percent} % ${where} ${shown}, asked ${formatTicks(command.price, instrument)}`;
  }
}

/** The price in ticks that the order would meet: the opposite best price, else the reference price; for a trigger order its trigger. */
function opposite(command: Command, context: InstrumentContext): number {
  if (waitsForTrigger(command.kind)) return command.trigger;
  const judged = context.judged;
  const touch = directionOf(command.side, command.effect) === BUY ? judged.ask : judged.bid;
  return touch > 0 ? touch : judged.reference;
}

/** A resting price lies no further from the mid price than the limit. */
class MaxDistanceRule implements RiskRule {
  readonly name = 'max-distance';
  readonly #most: number;

  constructor({ number }: RuleSetting) {
    this.#most = number('maxDistance');
  }

  allows({ command, context }: OrderRequest): boolean {
    const price = restingPrice(command);
    if (price === 0) return true;
    const reference = context.judged.reference;
    return reference > 0 && Math.abs(price - reference) <= reference * this.#most;
  }

  why({ command, context: { judged, instrument } }: OrderRequest): string {
    // hot-ok: only after a refusal
    if (judged.reference <= 0) return NO_PRICE;
    const mid = formatTicks(Math.round(judged.reference), instrument);
    return `within ${this.#most * 100} % of ${mid}, asked ${formatTicks(restingPrice(command), instrument)}`;
  }
}

/** The price at which the order would rest: its trigger or its limit; 0 for a market order. */
function restingPrice(command: Command): number {
  return waitsForTrigger(command.kind) ? command.trigger : command.price;
}

/**
 * A take-profit or stop-loss must lie on its own side of the expected entry price. Otherwise it would close at once and cost two fees. A
 * trigger equal to the entry price is refused too, because the fill itself fires it.
 */
class BracketSideRule implements RiskRule {
  readonly name = 'exit-side';

  allows({ command, context }: OrderRequest): boolean {
    const { takeProfit, stopLoss } = command;
    if (takeProfit === 0 && stopLoss === 0) return true;
    const entry = entryPrice(command, context);
    if (entry === 0) return true;
    if (command.side === LONG) return (takeProfit === 0 || takeProfit > entry) && (stopLoss === 0 || stopLoss < entry);
    return (takeProfit === 0 || takeProfit < entry) && (stopLoss === 0 || stopLoss > entry);
  }

  why({ command, context }: OrderRequest): string {
    // hot-ok: only after a refusal
    const { takeProfit, stopLoss, side } = command;
    const { instrument } = context;
    const entry = entryPrice(command, context);
    const isLong = side === LONG;
    const isProfit = takeProfit !== 0 && (isLong ? takeProfit <= entry : takeProfit >= entry);
    const what = isProfit ? 'take-profit' : 'stop-loss';
    const where = `${isProfit === isLong ? 'above' : 'below'} ${formatTicks(entry, instrument)}`;
    const asked = formatTicks(isProfit ? takeProfit : stopLoss, instrument);
    return `${what} ${where}, where this ${isLong ? 'LONG' : 'SHORT'} would open, asked ${asked}: it would close at once`;
  }
}

/**
 * No position without a stop-loss near it. A modify states the stop-loss again, because its new price may be further away. The interface
 * has no stop-loss for spot.
 */
class MaxStopDistanceRule implements RiskRule {
  readonly name = 'stop-distance';
  readonly #most: number;

  constructor({ number }: RuleSetting) {
    this.#most = number('maxStopDistance');
  }

  allows({ command, context }: OrderRequest): boolean {
    if (command.kind === PLACE_SPOT) return true;
    const entry = entryPrice(command, context);
    return command.stopLoss > 0 && entry > 0 && Math.abs(entry - command.stopLoss) <= entry * this.#most;
  }

  why({ command, context }: OrderRequest): string {
    // hot-ok: only after a refusal
    const needed = `a stop-loss within ${this.#most * 100} % of the price at which the order opens is needed`;
    if (command.stopLoss === 0) return `${needed}, none was given`;
    const entry = entryPrice(command, context);
    if (entry === 0) return `${needed}, and no price is known yet`;
    return `${needed}: ${formatTicks(command.stopLoss, context.instrument)} is too far from ${formatTicks(entry, context.instrument)}`;
  }
}

/**
 * Expected entry price in ticks: the limit, or the better opposite quote (else the last trade); for a trigger order its trigger. 0 if
 * unknown. A modify that keeps its bracket is not checked.
 */
function entryPrice(command: Command, context: InstrumentContext): number {
  const { price, trigger, side } = command;
  const { bid, ask, last } = context.market;
  const quote = side === LONG ? ask : bid;
  const met = trigger > 0 ? trigger : quote > 0 ? quote : last;
  if (price === 0 || met === 0) return price + met;
  return side === LONG ? Math.min(price, met) : Math.max(price, met);
}

/**
 * Nothing is opened on stale market data. If quotes are known, the newest quote must be fresh: trades say nothing about the prices that
 * strategies and the collar use.
 */
class StaleDataRule implements RiskRule {
  readonly name = 'stale-data';

  allows({ command, context }: OrderRequest): boolean {
    const { quoteSeenAt, seenAt } = context.judged;
    if (command.time - quoteSeenAt <= context.maxAgeMs) return true;
    return quoteSeenAt === -Infinity && command.time - seenAt <= context.maxAgeMs;
  }

  why({ command, context }: OrderRequest): string {
    // hot-ok: only after a refusal
    const { quoteSeenAt, seenAt } = context.judged;
    const isQuoted = quoteSeenAt > -Infinity;
    const age = command.time - (isQuoted ? quoteSeenAt : seenAt);
    if (age === Infinity) return 'no market data yet';
    return `the newest ${isQuoted ? 'quote' : 'market data'} is ${age} ms old, at most ${context.maxAgeMs}`;
  }
}

/** How long an opening command may still be sent, in milliseconds above 0: at most `most`, and not after its market data becomes stale. */
export function freshFor(command: Command, context: InstrumentContext, most: number): number {
  const { quoteSeenAt, seenAt } = context.judged;
  const rest = (quoteSeenAt > -Infinity ? quoteSeenAt : seenAt) + context.maxAgeMs - command.time;
  return rest < most ? (rest > 1 ? rest : 1) : most;
}

/** Nothing is opened while a price far from the accepted one is unconfirmed, because one of the two is wrong. */
class PriceUnconfirmedRule implements RiskRule {
  readonly name = 'price-unconfirmed';

  allows({ context }: OrderRequest): boolean {
    return !context.judged.isDoubtful;
  }

  why({ context }: OrderRequest): string {
    // hot-ok: only after a refusal
    return `the newest price of ${context.instrument.symbol} is far from the ones before it, or the first one: no other evidence confirms it yet`;
  }
}

/** Nothing is opened while the spread is wider than the limit or unknown. */
class MaxSpreadRule implements RiskRule {
  readonly name = 'max-spread';

  allows({ context }: OrderRequest): boolean {
    return !isWide(context);
  }

  why({ context: { judged, instrument, maxSpread } }: OrderRequest): string {
    // hot-ok: only after a refusal
    const most = `a spread of at most ${maxSpread * 100} % is allowed`;
    if (judged.bid <= 0 || judged.ask <= 0) return `${most}, and the best bid and ask are not both known`;
    return `${most}, the best prices are ${formatTicks(judged.bid, instrument)} and ${formatTicks(judged.ask, instrument)}`;
  }
}

/** True if the spread is wider than the limit of the instrument, or unknown. */
export function isWide(context: InstrumentContext): boolean {
  const { bid, ask } = context.judged;
  return !(bid > 0 && ask > 0) || ask - bid > context.maxSpread * ((ask + bid) / 2);
}

export const PRICE_RULES: readonly RuleRow[] = [
  { rule: PriceCollarRule, appliesTo: 'all' },
  { rule: MaxDistanceRule, appliesTo: 'all', limit: 'maxDistance' },
  { rule: BracketSideRule, appliesTo: 'opens' },
  { rule: MaxStopDistanceRule, appliesTo: 'opens', limit: 'maxStopDistance' },
  { rule: StaleDataRule, appliesTo: 'opens' },
  { rule: PriceUnconfirmedRule, appliesTo: 'opens' },
  { rule: MaxSpreadRule, appliesTo: 'opens', limit: 'maxSpread' },
];
