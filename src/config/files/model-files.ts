/** Reads the files of the simulation's models: measured delays and recorded funding rates. */
import { Failure, type Problem } from '../../base/failure/failure.ts';
import { problemsOf, type FieldTable } from '../../base/fields.ts';
import type { Delays, WayDelays } from '../../domain/models/latency.ts';
import type { RecordedRate } from '../../domain/models/funding.ts';
import { FUNDING_MAX } from '../../domain/instrument.ts';
import { parseScaled } from '../../domain/amounts/scale.ts';
import { RATE_DECIMALS } from '../../domain/amounts/units.ts';
import { readJsonFile } from './data-files.ts';

const LONGEST_MS = 60_000;

/**
 * One-way delays in whole milliseconds: a JSON list for all messages, or { orders: { up, down }, reads: { up, down } } with a list each.
 * @throws Failure (configuration)
 */
export function readDelays(file: string): Delays {
  const value = readFile(file, 'simulation.latency.file', 'measured delays');
  if (Array.isArray(value)) {
    const list = delaysIn(value, file);
    return { orders: { up: list, down: list }, reads: null };
  }
  const ways = (kind: string): WayDelays => {
    const { up, down } = objectIn(objectIn(value)[kind]);
    return { up: delaysIn(up, `${file}: ${kind}.up`), down: delaysIn(down, `${file}: ${kind}.down`) };
  };
  return { orders: ways('orders'), reads: ways('reads') };
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function delaysIn(list: unknown, where: string): readonly number[] {
  if (!Array.isArray(list) || list.length === 0) {
    throw new Failure('data-invalid', { what: 'expected a list of measured delays, or { orders, reads } with lists up and down', where });
  }
  const wrong = list.findIndex((one) => !Number.isInteger(one) || (one as number) < 0 || (one as number) > LONGEST_MS);
  if (wrong >= 0) {
    const what = `expected whole milliseconds from 0 to ${LONGEST_MS}, found ${JSON.stringify(list[wrong])}`;
    throw new Failure('data-invalid', { what, where: `${where}: entry ${wrong + 1}` });
  }
  return list as number[];
}

const RATE: FieldTable = {
  symbol: { kind: 'text', doc: 'a futures symbol' },
  time: { kind: 'whole', min: 0, max: Number.MAX_SAFE_INTEGER, doc: 'milliseconds since 1970' },
  rate: {
    kind: 'text',
    form: { pattern: /^-?0(\.\d{1,8})?$/, words: 'a signed decimal in quotes, such as "0.0001"' },
    doc: 'a share of the value; if positive, longs pay',
  },
};

/** Recorded funding: a JSON list of { symbol, time, rate }. @throws Failure (configuration) */
export function readFundingRates(file: string): readonly RecordedRate[] {
  const problems: Problem[] = [];
  const list = readList(file, 'simulation.funding.file', 'funding rates') as { symbol: string; time: number; rate: string }[];
  const rates = list.map((one, k): RecordedRate => {
    const where = `${file}: entry ${k + 1}`;
    const found = problemsOf(one, RATE, where, 'a funding rate');
    problems.push(...found);
    const rate = found.length > 0 ? 0 : parseScaled(one.rate, RATE_DECIMALS);
    if (Math.abs(rate) > FUNDING_MAX) problems.push({ what: `rate: expected at most 0.0075 either way, found ${one.rate}`, where });
    return { symbol: one.symbol, time: one.time, rate };
  });
  if (problems.length > 0) throw new Failure('data-invalid', problems);
  return rates;
}

function readList(file: string, key: string, what: string): readonly unknown[] {
  const list = readFile(file, key, what);
  if (!Array.isArray(list) || list.length === 0) throw new Failure('data-invalid', { what: `expected a list of ${what}`, where: file });
  return list;
}

function readFile(file: string, key: string, what: string): unknown {
  if (file === '') throw new Failure('data-invalid', { what: `${key}: expected a file of ${what}, found none`, where: 'simulation' });
  return readJsonFile(file, what);
}
