/**
 * Reads and checks the two data files, instruments and rate limits. Without the schema library, which would take longer to load than the
 * rest of a backtest's start.
 */
import { readFileSync } from 'node:fs';
import { Failure, type Problem } from '../../base/failure/failure.ts';
import { messageOf } from '../../base/failure/message-of.ts';
import { isRecord, problemsOf, type Field, type FieldTable, type TextForm } from '../../base/fields.ts';
import { createInstrument, type InstrumentSpec } from '../../domain/instrument.ts';

/** Requests per second by rate bucket. `public` and `private` apply to the buckets that are not named. */
export type Limits = Readonly<Record<string, number>>;

const DECIMAL: TextForm = { pattern: /^-?(0|[1-9]\d*)(\.\d+)?$/, words: 'a plain decimal in quotes, such as "0.1"' };
const word = (doc: string): Field => ({ kind: 'text', doc });
const decimal = (doc: string, isOptional = false): Field => ({ kind: 'text', form: DECIMAL, doc, isOptional });
const whole = (min: number, max: number, doc: string, isOptional = false): Field => ({ kind: 'whole', min, max, doc, isOptional });

const INSTRUMENT: FieldTable = {
  symbol: word('its name on the wire'),
  product: { kind: 'word', words: ['futures', 'spot'], doc: 'futures or spot' },
  baseCoin: word('what is traded'),
  quoteCoin: word('what it is paid in'),
  tickSize: decimal('the smallest step of a price'),
  lotSize: decimal('the smallest step of a size, base coin'),
  priceDecimals: whole(0, 15, 'decimals of a price on the wire, by default those of tickSize', true),
  minSize: decimal('the smallest order, base coin'),
  maxSize: decimal('the largest order, base coin'),
  minNotional: decimal('the smallest value of an order, quote coin, by default 0', true),
  makerFeeRate: decimal('a share of the value, below 0 for a rebate'),
  takerFeeRate: decimal('a share of the value'),
  maxLeverage: whole(1, 1_000, 'highest leverage, by default 125', true),
  maintenanceRate: decimal('maintenance margin as a share of the value, by default 0.004', true),
  tiers: { kind: 'list', doc: 'for example [{ "upTo": "50000", "maintenanceRate": "0.004", "maxLeverage": 125 }, …]', isOptional: true },
  fundingRate: decimal('funding of one interval, by default that of the configuration', true),
};
const TIER: FieldTable = {
  upTo: decimal('value up to which it holds, quote coin; the last tier has none', true),
  maintenanceRate: decimal('maintenance margin as a share of the value'),
  maxLeverage: whole(1, 1_000, 'highest leverage'),
};
/** Buckets of the interface, and "private" for those that the file does not name. */
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
/** A bucket that the file does not name has the rate of "public" or "private". */
const LIMITS: FieldTable = Object.fromEntries(
  LIMIT_NAMES.map((name, k): [string, Field] => [
    name,
    { kind: 'number', min: 0.001, max: 100_000, doc: 'requests a second', isOptional: k > 1 },
  ]),
);

/** All instruments of the file, in its order. @throws Failure (configuration) with entry and key */
export function readInstruments(file: string): readonly InstrumentSpec[] {
  const list = readJsonFile(file, 'instruments');
  if (!Array.isArray(list) || list.length === 0) {
    throw new Failure('data-invalid', { what: 'expected a list of instruments', where: file });
  }
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const [i, entry] of list.entries()) {
    const name = isRecord(entry) && typeof entry['symbol'] === 'string' ? ` (${entry['symbol']})` : '';
    const where = `${file}: entry ${i + 1}${name}`;
    const found = problemsOf(entry, INSTRUMENT, where, 'an instrument');
    if (found.length === 0) found.push(...tierProblems(entry as InstrumentSpec, where));
    if (found.length === 0) found.push(...gridProblems(entry as InstrumentSpec, where, seen));
    problems.push(...found);
  }
  if (problems.length > 0) throw new Failure('data-invalid', problems);
  return list as InstrumentSpec[];
}

/** Requests per second by bucket. @throws Failure (configuration) */
export function readLimits(file: string): Limits {
  const table = readJsonFile(file, 'limits');
  const problems = problemsOf(table, LIMITS, file, 'the limits');
  if (problems.length > 0) throw new Failure('data-invalid', problems);
  return table as Limits;
}

/** Checks the fields of the tiers. createInstrument checks their numbers against each other. */
function tierProblems({ tiers = [] }: InstrumentSpec, where: string): Problem[] {
  return tiers.flatMap((tier, k) => problemsOf(tier, TIER, `${where}: tiers: entry ${k + 1}`, 'a tier'));
}

function gridProblems(spec: InstrumentSpec, where: string, seen: Set<string>): Problem[] {
  const id = `${spec.product} ${spec.symbol}`;
  if (seen.has(id)) return [{ what: `${id} is listed twice`, where }];
  seen.add(id);
  try {
    createInstrument(spec, 0);
    return [];
  } catch (error) {
    return [{ what: messageOf(error), where }];
  }
}

/** Reads a JSON file. `what` describes its contents in errors. @throws Failure (configuration) */
export function readJsonFile(file: string, what: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure('data-unreadable', { what: `the file of ${what} cannot be read: ${reasonOf(error)}`, where: file }, { cause: error });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Failure('data-unreadable', { what: `expected JSON: ${(error as Error).message}`, where: file }, { cause: error });
  }
}

/** A file error in a few words, without the path. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'ENOTDIR') return 'a part of its path is not a folder';
  return messageOf(error);
}
