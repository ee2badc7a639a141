/** Multiplies all sizes of a bot: parameters, limits and deposits. So only the market limits its trading. */
import { splitAmount } from '../../domain/amount.ts';
import { LIMITS, type LimitKey } from '../../domain/limits.ts';
import type { BotConfig, StrategyChoice } from '../../config/model.ts';

/** "0.5" × 3 is "1.5", "100 USDT" × 3 is "300 USDT". A percentage stays: it grows with the equity. Null if the text is no amount. */
export function timesAmount(text: string, multiple: number): string | null {
  const amount = splitAmount(text);
  if (amount === null) return null;
  return amount.unit === 'percent' ? text : `${timesDecimal(amount.figure, multiple)}${amount.coin === '' ? '' : ` ${amount.coin}`}`;
}

function timesDecimal(figure: string, multiple: number): string {
  const [whole = '', fraction = ''] = figure.split('.');
  const digits = String(BigInt(whole + fraction) * BigInt(multiple)).padStart(fraction.length + 1, '0');
  return fraction === '' ? digits : `${digits.slice(0, -fraction.length)}.${digits.slice(-fraction.length)}`;
}

/** The largest deposit and position: sums of money are exact up to 90,071,992 coins. */
export const COINS_MAX = 40_000_000;

type Limited = Readonly<Partial<Record<LimitKey, string | number>>>;

/** Limits in sizes, values and money grow; shares, counts and "off" stay. */
function scaledLimits<L extends object>(limits: L, multiple: number): L {
  const scaled = Object.entries(limits as Limited).map(([key, value]) => {
    const unit = Object.hasOwn(LIMITS, key) ? LIMITS[key as LimitKey].unit : '';
    const grows = (unit === 'size' || unit === 'value' || unit === 'money') && typeof value === 'string';
    return [key, grows ? grownLimit(value, multiple) : value] as const;
  });
  return { ...limits, ...Object.fromEntries(scaled) };
}

function grownLimit(value: string, multiple: number): string {
  const { unit, coin, figure } = splitAmount(value) ?? { unit: 'percent', coin: '', figure: '' };
  if (unit === 'percent') return value;
  return Number(figure) * multiple > COINS_MAX ? `${COINS_MAX}${coin === '' ? '' : ` ${coin}`}` : timesAmount(value, multiple)!;
}

export function scaledConfig(config: BotConfig, multiple: number): BotConfig {
  const { risk, simulation } = config;
  const symbols = Object.fromEntries(Object.entries(risk.symbols).map(([symbol, own]) => [symbol, scaledLimits(own, multiple)]));
  const grown = (amount: string): string => (Number(amount) * multiple > COINS_MAX ? String(COINS_MAX) : timesDecimal(amount, multiple));
  const deposits = Object.fromEntries(Object.entries(simulation.deposits).map(([coin, amount]) => [coin, grown(amount)]));
  return { ...config, risk: { ...scaledLimits(risk, multiple), symbols }, simulation: { ...simulation, deposits } };
}

export function scaledChoices(choices: readonly StrategyChoice[], multiple: number): StrategyChoice[] {
  return choices.map((choice) => (choice.risk === undefined ? choice : { ...choice, risk: scaledLimits(choice.risk, multiple) }));
}
