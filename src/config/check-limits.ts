/** Checks limits against the instruments: the coin must fit the symbols they apply to, and a size must be tradable. */
import type { Problem } from '../base/failure/failure.ts';
import { splitAmount, type Amount } from '../domain/amount.ts';
import { tradedName, type InstrumentSpec } from '../domain/instrument.ts';
import { LIMITS, type Limit, type LimitKey } from '../domain/limits.ts';
import type { StrategyChoice } from './model.ts';
import type { Settings } from './defaults.ts';

type Values = Readonly<Partial<Record<LimitKey, unknown>>>;
/** Gives the place ("file:line:column") of the value of a key. */
type Place = (path: readonly (string | number)[]) => string | undefined;

/** All problems of the limits of the bot, of its symbols and of its strategies. */
export function limitProblems({ risk, strategies }: Settings, instruments: readonly InstrumentSpec[], place: Place): Problem[] {
  const { symbols, ...all } = risk;
  const futures = instruments.filter(({ product }) => product === 'futures');
  const of = (names: readonly string[]): readonly InstrumentSpec[] => {
    return names.length === 0 ? futures : instruments.filter((one) => names.includes(tradedName(one)));
  };
  return [
    ...problemsOf(all, instruments, ['risk'], place),
    ...Object.entries(symbols).flatMap(([name, values]) => problemsOf(values, of([name]), ['risk', 'symbols', name], place)),
    ...strategies.flatMap((choice: StrategyChoice, k) =>
      problemsOf(choice.risk ?? {}, of(choice.symbols), ['strategies', k, 'risk'], place),
    ),
  ];
}

function problemsOf(values: Values, instruments: readonly InstrumentSpec[], path: readonly (string | number)[], place: Place): Problem[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const row: Limit = LIMITS[key as LimitKey];
    const amount = typeof value === 'string' && ['size', 'value', 'money'].includes(row.unit) ? splitAmount(value) : null;
    const said = amount === null ? null : (coinFault(row, amount, instruments) ?? sizeFault(row, amount, instruments));
    if (said === null) return [];
    const what = `${[...path, key].join('.')}: expected ${said.expected}, found "${String(value)}"`;
    return [{ what, where: place([...path, key]), hint: said.hint }];
  });
}

interface Fault {
  readonly expected: string;
  readonly hint: string;
}

/** A fault if the coin is not that of every symbol that the limit applies to. */
function coinFault({ unit }: Limit, { unit: named, figure, coin }: Amount, instruments: readonly InstrumentSpec[]): Fault | null {
  const isGood = (one: InstrumentSpec): boolean => coin === one.quoteCoin || (unit === 'size' && coin === one.baseCoin);
  const wrong = named === 'coin' ? instruments.find((one) => !isGood(one)) : undefined;
  if (wrong === undefined) return null;
  const isOfAnother = instruments.some(isGood);
  const { quoteCoin, baseCoin } = wrong;
  const name = tradedName(wrong);
  return {
    expected: unit === 'size' ? `a size in ${baseCoin} or a value in ${quoteCoin} for ${name}` : `an amount in ${quoteCoin}`,
    hint: isOfAnother
      ? `${coin} is a coin of other symbols: state it there, under risk.symbols`
      : `write "${figure} ${quoteCoin}" for a value${unit === 'size' ? `, or state "${figure} ${baseCoin}" under risk.symbols.${name}` : ''}`,
  };
}

/** A fault if the size is above zero but below the smallest order of every symbol: it would refuse every order. */
function sizeFault({ unit }: Limit, { unit: named, figure, coin }: Amount, instruments: readonly InstrumentSpec[]): Fault | null {
  const isSize = unit === 'size' && named !== 'percent' && Number(figure) > 0;
  const able = instruments.filter((one) => named === 'plain' || coin === one.baseCoin);
  if (!isSize || able.length === 0 || able.some(({ minSize }) => Number(figure) >= Number(minSize))) return null;
  const least = able.map((one) => `${one.minSize} (${tradedName(one)})`).join(', ');
  return { expected: `"0" or a size that can be traded, at least ${least}`, hint: '"0" opens nothing, off is no limit' };
}
