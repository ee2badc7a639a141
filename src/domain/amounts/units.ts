/** The units of trading as branded types: a number without the right unit does not compile. */
import type { Brand } from '../../base/brand.ts';

/** Milliseconds since the Unix epoch, or a duration. */
export type Millis = Brand<number, 'Millis'>;
/** A price as a count of the instrument's tick size: a safe integer. */
export type Ticks = Brand<number, 'Ticks'>;
/** A size as a count of the instrument's lot size: a safe integer, never negative. */
export type Lots = Brand<number, 'Lots'>;
/** Money in the quote coin as a count of 10^-8: a safe integer, so one amount is at most 90,071,992.54740991. */
export type Money = Brand<number, 'Money'>;
/** A fee or margin rate as a count of 10^-8. */
export type Rate = Brand<number, 'Rate'>;
/** A decimal in plain notation (no exponent, no plus sign), as on the wire. */
export type DecimalString = Brand<string, 'DecimalString'>;
/** Index of an instrument in the running program. */
export type InstrumentIndex = Brand<number, 'InstrumentIndex'>;
/** The bot's number of an order or command: durable, increasing, never used twice. */
export type Sequence = Brand<number, 'Sequence'>;

export const MONEY_DECIMALS = 8;
export const RATE_DECIMALS = 8;
/** 1 as a count of 10^-8: one coin of Money, a Rate of 100 %, and a price of 1 where prices are counted so. */
export const ONE = 100_000_000;
