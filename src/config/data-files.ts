/**
 * The two data files, instruments and limits, read and checked by hand: they are on the path of every backtest, where a schema
 * library would cost more than the rest of the start.
 */
import { readFileSync } from 'node:fs';
import { Failure, type Problem } from '../base/failure.ts';
import { suggest } from '../base/suggest.ts';
import { createInstrument, type InstrumentSpec } from '../domain/instrument.ts';
import type { Limits } from './model.ts';

const TEXTS = ['symbol', 'product', 'baseCoin', 'quoteCoin'];
const DECIMALS = ['tickSize', 'lotSize', 'minSize', 'maxSize', 'makerFeeRate', 'takerFeeRate'];
const OPTIONAL_DECIMALS = ['minNotional', 'maintenanceRate', 'fundingRate'];
const OPTIONAL_WHOLES = ['priceDecimals', 'maxLeverage'];
const KEYS = [...TEXTS, ...DECIMALS, ...OPTIONAL_DECIMALS, ...OPTIONAL_WHOLES, 'tiers'];
const TIER_KEYS = ['upTo', 'maintenanceRate', 'maxLeverage'];
/** Buckets of the contract, and "private" for those of them that a file does not name. */
export const LIMIT_NAMES: readonly string[] = [
  'public',
  'private',
  'account',
  'order',
  'listing',
  'position',
  'margin',
  'spot-order',
  'withdrawal',
];
const PLAIN = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Every instrument of the file, in its order. @throws Failure (configuration) naming entry and key */
export function readInstruments(file: string): readonly InstrumentSpec[] {
  const list = readJson(file, 'instruments');
  if (!Array.isArray(list) || list.length === 0) {
    throw new Failure('configuration', { what: 'expected a list of instruments', where: file });
  }
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const [i, entry] of list.entries()) {
    const where = `${file}: entry ${i + 1}${isRecord(entry) && typeof entry['symbol'] === 'string' ? ` (${entry['symbol']})` : ''}`;
    const found = isRecord(entry) ? checkInstrument(entry, where) : [{ what: 'expected an object', where }];
    if (found.length === 0) found.push(...checkGrid(entry as InstrumentSpec, where, seen));
    problems.push(...found);
  }
  if (problems.length > 0) throw new Failure('configuration', problems);
  return list as InstrumentSpec[];
}

/** Requests per second by bucket. @throws Failure (configuration) */
export function readLimits(file: string): Limits {
  const table = readJson(file, 'limits');
  if (!isRecord(table)) throw new Failure('configuration', { what: 'expected an object of buckets', where: file });
  const problems: Problem[] = [];
  for (const [bucket, rate] of Object.entries(table)) {
    if (!LIMIT_NAMES.includes(bucket)) {
      const near = suggest(bucket, LIMIT_NAMES);
      const hint = near === null ? `the buckets are ${LIMIT_NAMES.join(', ')}` : `did you mean "${near}"?`;
      problems.push({ what: `${bucket} is not a rate bucket`, where: file, hint });
    }
    if (typeof rate !== 'number' || !(rate > 0) || rate > 100_000) {
      problems.push({
        what: `expected requests per second, above 0 and at most 100000, found ${JSON.stringify(rate)}`,
        where: `${file}: ${bucket}`,
      });
    }
  }
  for (const bucket of ['public', 'private']) {
    if (!Object.hasOwn(table, bucket))
      problems.push({ what: `expected a limit for "${bucket}", which serves all buckets that are not named`, where: file });
  }
  if (problems.length > 0) throw new Failure('configuration', problems);
  return table as Record<string, number>;
}

function checkInstrument(entry: Record<string, unknown>, where: string): Problem[] {
  const problems: Problem[] = [];
  const say = (key: string, what: string, hint?: string): void => void problems.push({ what: `${key}: ${what}`, where, hint });
  for (const key of Object.keys(entry)) {
    if (KEYS.includes(key)) continue;
    const near = suggest(key, KEYS);
    say(key, 'is not a key of an instrument', near === null ? `the keys are ${KEYS.join(', ')}` : `did you mean "${near}"?`);
  }
  for (const key of [...TEXTS, ...DECIMALS]) {
    if (!Object.hasOwn(entry, key)) say(key, 'is missing');
    else if (typeof entry[key] !== 'string' || entry[key] === '') say(key, `expected text in quotes, found ${JSON.stringify(entry[key])}`);
  }
  for (const key of [...DECIMALS, ...OPTIONAL_DECIMALS]) {
    const value = entry[key];
    if (typeof value === 'string' && !PLAIN.test(value)) say(key, `expected a plain decimal such as "0.1", found ${JSON.stringify(value)}`);
    if (value !== undefined && typeof value !== 'string' && !DECIMALS.includes(key)) {
      say(key, `expected a decimal in quotes, found ${JSON.stringify(value)}`);
    }
  }
  for (const key of OPTIONAL_WHOLES) {
    const value = entry[key];
    if (value !== undefined && !(Number.isInteger(value) && (value as number) >= 0))
      say(key, `expected a whole number, found ${JSON.stringify(value)}`);
  }
  if (entry['tiers'] !== undefined) checkTiers(entry['tiers'], say);
  if (typeof entry['product'] === 'string' && entry['product'] !== 'futures' && entry['product'] !== 'spot') {
    say('product', `expected "futures" or "spot", found ${JSON.stringify(entry['product'])}`);
  }
  return problems;
}

/** The shape of the tiers; what their numbers say of each other is checked with the grid. */
function checkTiers(tiers: unknown, say: (key: string, what: string, hint?: string) => void): void {
  const shape = 'for example [{ "upTo": "50000", "maintenanceRate": "0.004", "maxLeverage": 125 }, …], the last without upTo';
  if (!Array.isArray(tiers) || tiers.length === 0) return say('tiers', `expected a list, found ${JSON.stringify(tiers)}`, shape);
  for (const [k, tier] of tiers.entries()) {
    const key = `tiers: entry ${k + 1}`;
    if (!isRecord(tier)) {
      say(key, `expected an object, found ${JSON.stringify(tier)}`, shape);
      continue;
    }
    for (const name of Object.keys(tier)) if (!TIER_KEYS.includes(name)) say(key, `${name} is not a key of a tier`, shape);
    const { upTo, maintenanceRate, maxLeverage } = tier;
    const isPlain = (value: unknown): boolean => typeof value === 'string' && PLAIN.test(value);
    if (upTo !== undefined && !isPlain(upTo)) say(key, `upTo: expected a decimal in quotes, found ${JSON.stringify(upTo)}`);
    if (!isPlain(maintenanceRate)) say(key, `maintenanceRate: expected a decimal in quotes, found ${JSON.stringify(maintenanceRate)}`);
    if (!Number.isInteger(maxLeverage)) say(key, `maxLeverage: expected a whole number, found ${JSON.stringify(maxLeverage)}`);
  }
}

function checkGrid(spec: InstrumentSpec, where: string, seen: Set<string>): Problem[] {
  const id = `${spec.product} ${spec.symbol}`;
  if (seen.has(id)) return [{ what: `${id} stands twice`, where }];
  seen.add(id);
  try {
    createInstrument(spec, 0);
    return [];
  } catch (error) {
    return [{ what: error instanceof Error ? error.message : String(error), where }];
  }
}

function readJson(file: string, what: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure('configuration', { what: `the file of ${what} cannot be read: ${reasonOf(error)}`, where: file }, { cause: error });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Failure('configuration', { what: `expected JSON: ${(error as Error).message}`, where: file }, { cause: error });
  }
}

/** A file error in a few words, without the path, which the caller names. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'ENOTDIR') return 'a part of its path is not a folder';
  return error instanceof Error ? error.message : String(error);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
