/** The same market at another time or at other prices, in which a strategy that knows neither decides the same. */
import { DAY_MS } from '../../base/time/time-spans.ts';
import type { BotConfig, StrategyChoice } from '../../config/model.ts';
import { splitAmount } from '../../domain/amount.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { LIMITS, type LimitKey } from '../../domain/limits.ts';
import { formatScaledShort, parseScaled } from '../../domain/amounts/scale.ts';
import { MONEY_DECIMALS, type Money } from '../../domain/amounts/units.ts';
import type { LoadedMarket } from '../backtest/trials.ts';

/** 800 years in milliseconds: a whole number of weeks, after which the calendar has the same weekdays, months and leap days. */
export const CALENDARS_MS = 292_194 * DAY_MS;

/** Prices are so many times as high. A tick is so many times as much, so each price is as many ticks as before. */
export const PRICE_FACTOR = 2;

/** The market at higher prices: the rows stay, in ticks. */
export function atHigherPrices(market: LoadedMarket): LoadedMarket {
  const instruments = market.instruments.instruments.map((one): Instrument => ({
    ...one,
    tickSize: doubled(one.tickSize),
    tickStep: one.tickStep * PRICE_FACTOR,
    unitValue: one.unitValue * PRICE_FACTOR,
    minNotional: (one.minNotional * PRICE_FACTOR) as Money,
    tiers: one.tiers.map((tier) => ({
      ...tier,
      upTo: tier.upTo * PRICE_FACTOR,
      deduction: (tier.deduction * PRICE_FACTOR) as Money,
    })),
  }));
  return { ...market, instruments: { ...market.instruments, instruments } };
}

/** Balances and limits that are amounts of the quote coins, as much higher as the prices. */
export function withMoreMoney(config: BotConfig, quoteCoins: ReadonlySet<string>): BotConfig {
  const { risk, simulation } = config;
  const { symbols, ...all } = risk;
  const deposits = Object.fromEntries(
    Object.entries(simulation.deposits).map(([coin, amount]) => [coin, quoteCoins.has(coin) ? doubled(amount) : amount]),
  );
  return {
    ...config,
    risk: {
      ...higher(all, quoteCoins),
      symbols: Object.fromEntries(Object.entries(symbols).map(([symbol, own]) => [symbol, higher(own, quoteCoins)])),
    },
    simulation: { ...simulation, deposits },
  };
}

/** Strategies with their own limits as much higher. */
export const withHigherLimits = (strategies: readonly StrategyChoice[], quoteCoins: ReadonlySet<string>): StrategyChoice[] =>
  strategies.map((one) => (one.risk === undefined ? one : { ...one, risk: higher(one.risk, quoteCoins) }));

function higher<T extends object>(limits: T, quoteCoins: ReadonlySet<string>): T {
  const changed = Object.entries(limits).map(([key, value]: [string, unknown]) => {
    const amount = typeof value === 'string' ? splitAmount(value) : null;
    const { unit } = LIMITS[key as LimitKey];
    const isMoney = (unit === 'value' || unit === 'money') && amount?.unit === 'plain';
    const isNamed = amount?.unit === 'coin' && quoteCoins.has(amount.coin);
    if (amount === null || (!isMoney && !isNamed)) return [key, value];
    return [key, `${doubled(amount.figure)}${amount.coin === '' ? '' : ` ${amount.coin}`}`];
  });
  return Object.fromEntries(changed) as T;
}

const doubled = (amount: string): ReturnType<typeof formatScaledShort> =>
  formatScaledShort(parseScaled(amount, MONEY_DECIMALS) * PRICE_FACTOR, MONEY_DECIMALS);
