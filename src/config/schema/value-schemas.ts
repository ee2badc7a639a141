/** Schemas of one value each: numbers, durations, decimals, shares, symbols and names, with the text of their errors. */
import * as z from 'zod';
import { plainShare, SHARE_PATTERN } from '../../domain/amount.ts';
import { DURATION_PATTERN, durationOf } from '../../base/time/duration.ts';

export const whole = (min: number, max: number): z.ZodType<number> => {
  const error = `a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};
export const durationText = (min: number, max: number): string =>
  `milliseconds, a whole number from ${min} to ${max}, or a duration such as "5s"`;
export const durationString = (): z.ZodString => z.string().regex(DURATION_PATTERN, { abort: true });
/** Milliseconds as a number, or a text with a unit such as "5s". */
export const millis = (min: number, max = 3_600_000): z.ZodType<number> => {
  const error = durationText(min, max);
  return z
    .union([z.int().min(min, { abort: true }).max(max, { abort: true }), durationString().transform((given) => durationOf(given))], {
      error,
    })
    .refine((ms) => Number.isInteger(ms) && ms >= min && ms <= max, { error });
};

/** Error texts of decimals. The loader uses them to suggest quotes for a bare number. */
export const DECIMAL = 'a decimal in quotes, such as "0.5"';
export const AMOUNT = 'an amount in quotes, such as "0.5", "100 USDT" or "2%"';
export const SHARE = 'a share from 0 to 1 in quotes, such as "0.02" or "2%"';
export const QUOTED: readonly string[] = [DECIMAL, AMOUNT, SHARE].flatMap((error) => [error, `${error}, or off`, `${error}, or tape`]);
export const decimal = (): z.ZodType<string> => z.string({ error: DECIMAL }).regex(/^(0|[1-9]\d{0,14})(\.\d{1,15})?$/, { error: DECIMAL });

export const text = (error: string, pattern: RegExp): z.ZodType<string> => z.string({ error }).regex(pattern, { error });
export const fileName = (what: string): z.ZodString => z.string({ error: `the path of ${what}` }).max(4096);
export const word = <const W extends readonly [string, ...string[]]>(...words: W): z.ZodType<W[number]> => {
  return z.enum(words, { error: `one of ${words.join(', ')}` });
};
export const section = <S extends z.core.$ZodShape>(shape: S): z.ZodObject<{ [K in keyof S]: z.ZodOptional<S[K]> }, z.core.$strict> => {
  return z.strictObject(shape, { error: 'a section of keys' }).partial();
};

/** A model by its name in a table of models. */
export const model = <T extends Readonly<Record<string, { readonly doc: string }>>>(
  table: T,
  what: string,
): z.ZodType<keyof T & string> => {
  const names = Object.keys(table) as (keyof T & string)[];
  const docs = names.map((name) => `${name} (${table[name]!.doc})`);
  return z.enum(names, { error: `one of ${names.join(', ')}` }).describe(`${what}: ${docs.join(', ')}`);
};

/** A share such as "0.0002" or "0.02%", as a plain decimal that matches `pattern`. */
const sharing = (error: string, pattern: RegExp): z.ZodType<string> =>
  z
    .string({ error })
    .regex(SHARE_PATTERN, { error, abort: true })
    .transform((given) => plainShare(given))
    .refine((plain) => pattern.test(plain), { error });
const RATE = 'a signed decimal in quotes of at most 8 decimals, from "-0.0075" to "0.0075", or a percentage such as "0.01%"';
export const fundingRate = sharing(RATE, /^-?0(\.\d{1,8})?$/).refine((rate) => Math.abs(Number(rate)) <= 0.0075, { error: RATE });

export const TIERS = 'a list of tiers, such as { from: "1000000", maker: "0.0001", taker: "0.0004" }';
export const SPEED = 'a number from 0.001 to 10000';
const COINS = 'whole quote coins in quotes, such as "1000000"';
export const coins = text(COINS, /^(0|[1-9]\d{0,14})$/);
const FEE = 'a signed decimal in quotes of at most 8 decimals, from "-0.01" to "0.01", or a percentage such as "0.02%"';
export const feeRate = sharing(FEE, /^-?0(\.0\d{0,7}|\.01)?$/);
export const positive = (): z.ZodType<string> => decimal().refine((given) => Number(given) > 0, { error: 'a decimal above 0 in quotes' });
export const share = (): z.ZodType<string> =>
  sharing(SHARE, /^(0|1)(\.\d{1,12})?$/).refine((plain) => Number(plain) <= 1, { error: SHARE });

/** A number, or the word for one that is measured. */
export const orTape = (schema: z.ZodType<string>, error: string): z.ZodType<string> => {
  return z.union([z.literal('tape'), schema], { error: `${error}, or tape` });
};

/** A futures symbol, or a spot symbol with the prefix "spot:". */
export const TRADED = text('a symbol such as BTCUSDT or spot:BTCUSDT', /^(spot:)?[A-Z0-9]{2,32}$/);
export const SYMBOL = text('a symbol such as BTCUSDT', /^[A-Z0-9]{2,32}$/);
export const COIN = text('a coin such as USDT', /^[A-Z0-9]{1,16}$/);
