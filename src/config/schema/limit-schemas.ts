/** Schemas of limits, made of their table. */
import * as z from 'zod';
import { AMOUNT_PATTERN, SHARE_PATTERN, shareOf, splitAmount } from '../../domain/amount.ts';
import { faultOfHours } from '../../domain/time/hours.ts';
import { LIMIT_ACTIONS, LIMITS, type Limit, type LimitKey, type LimitUnit } from '../../domain/limits.ts';
import { whole, durationText, millis, AMOUNT, SHARE, word } from './value-schemas.ts';

/** The schema of a limit, from its table row. */
const limitSchema = (key: LimitKey): z.ZodType => {
  const row: Limit = LIMITS[key];
  const schema = valueSchema(row);
  return (row.canBeOff ? z.union([schema, z.literal('off')], { error: `${errorOf(row)}, or off` }) : schema).describe(row.doc);
};

const errorOf = ({ unit, min = 0, max = 0 }: Limit): string => {
  switch (unit) {
    case 'size':
      return AMOUNT;
    case 'value':
      return `an amount in quotes such as "1000 USDT" or "5%"${max > 0 ? `, at most "${max * 100}%"` : ''}`;
    case 'money':
      return 'an amount in quotes such as "1000 USDT"';
    case 'share':
      return SHARE;
    case 'count':
      return `a whole number from ${min} to ${max}`;
    case 'duration':
      return durationText(min, max);
    case 'factor':
      return `a number from ${min} to ${max}`;
    case 'hours':
      return 'a cron expression of five fields, in UTC, such as "* 8-16 * * 1-5", or several joined by ";"';
    case 'action':
      return `one of ${LIMIT_ACTIONS.join(', ')}`;
  }
};

/** True if the text is an amount allowed for this unit. A percentage is at most `most` if that is above 0. */
const isAmount = (unit: LimitUnit, given: string, most: number): boolean => {
  const amount = splitAmount(given);
  if (amount === null || amount.unit !== 'percent') return amount !== null;
  return unit !== 'money' && (most === 0 || shareOf(given) <= most);
};

const valueSchema = (row: Limit): z.ZodType => {
  const { unit, min = 0, max = 0 } = row;
  const error = errorOf(row);
  switch (unit) {
    case 'size':
    case 'value':
    case 'money':
      return z
        .string({ error })
        .regex(AMOUNT_PATTERN, { error, abort: true })
        .refine((given) => isAmount(unit, given, max) && !(unit !== 'size' && /^0+(\.0+)?%?$/.test(given)), { error });
    case 'share':
      return z
        .string({ error })
        .regex(SHARE_PATTERN, { error, abort: true })
        .refine((given) => shareOf(given) >= 0 && shareOf(given) <= 1, { error });
    case 'count':
      return whole(min, max);
    case 'duration':
      return millis(min, max);
    case 'factor':
      return z.number({ error }).min(min, { error }).max(max, { error });
    case 'hours':
      return z.string({ error }).refine((given) => faultOfHours(given) === null, { error });
    case 'action':
      return word(...LIMIT_ACTIONS);
  }
};

/** The schemas of limits by key. */
export const limitsOf = <K extends LimitKey>(keys: readonly K[]): Record<K, z.ZodType> => {
  return Object.fromEntries(keys.map((key) => [key, limitSchema(key)])) as Record<K, z.ZodType>;
};
