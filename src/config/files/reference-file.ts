/**
 * Reads the reference data of the paper exchange: records of spot symbols (E3), coins (E4) and withdrawals (E5). An entry has its name and
 * the fields that differ from the generated record, spelled as on the wire.
 */
import { Failure, type Problem } from '../../base/failure/failure.ts';
import { isRecord } from '../../base/fields.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import type { ReplyOf } from '../../contract/endpoints/endpoint.ts';
import * as spotAccount from '../../contract/endpoints/spot-account.ts';
import { coins, spotSymbols } from '../../contract/endpoints/spot-market.ts';
import type { Kind } from '../../contract/endpoints/kinds.ts';
import { documented } from '../../contract/schema.ts';
import type { InstrumentSpec } from '../../domain/instrument.ts';
import { readJsonFile } from './data-files.ts';

type Row = Readonly<Record<string, unknown>>;
type Withdrawal = ReplyOf<typeof spotAccount.withdrawals>[number];

export interface ReferenceData {
  /** Each with `symbol` and any other field of a spot symbol record (E3). */
  readonly symbols: readonly (Row & { readonly symbol: string })[];
  /** Each with `coin` and any other field of a coin record (E4). */
  readonly coins: readonly (Row & { readonly coin: string })[];
  /** Complete withdrawal records (E5) by account; index 0 is account 1. */
  readonly withdrawals: readonly (readonly Withdrawal[])[];
}

export const NO_REFERENCE: ReferenceData = { symbols: [], coins: [], withdrawals: [] };

/** For each list of the file: its record, and the fields that an entry must have. */
const LISTS: Readonly<Record<string, { readonly kind: Kind; readonly required: readonly string[]; readonly also: readonly string[] }>> = {
  symbols: { kind: itemOf(spotSymbols.response), required: ['symbol'], also: [] },
  coins: { kind: itemOf(coins.response), required: ['coin'], also: [] },
  withdrawals: { kind: itemOf(spotAccount.withdrawals.response), required: ['orderId', 'coin', 'size', 'cTime'], also: ['account'] },
};

/** Fields that the file of instruments decides. They cannot be set here. */
const OWN_OF_SYMBOL = ['symbol', 'status', 'quotePrecision'];

/** Reads and checks the file; "" means no file. @throws Failure (configuration) with entry and field */
export function readReference(file: string, instruments: readonly InstrumentSpec[], accounts: number): ReferenceData {
  if (file === '') return NO_REFERENCE;
  const value = readJsonFile(file, 'reference data');
  if (!isRecord(value)) throw new Failure('data-invalid', { what: 'expected an object with symbols, coins or withdrawals', where: file });
  const problems: Problem[] = [];
  const lists = new Map<string, readonly Row[]>();
  for (const [name, list] of Object.entries(value)) lists.set(name, readList(file, name, list, problems));
  const symbols = lists.get('symbols') ?? [];
  for (const [k, entry] of symbols.entries()) problems.push(...contradictions(`${file}: symbols[${k}]`, entry, instruments));
  const withdrawals: Withdrawal[][] = Array.from({ length: accounts }, () => []);
  for (const [k, { account = 1, ...record }] of (lists.get('withdrawals') ?? []).entries()) {
    const list = typeof account === 'number' ? withdrawals[account - 1] : undefined;
    const what = `account: expected the number of an account, 1 to ${accounts}, found ${JSON.stringify(account)}`;
    if (list === undefined) problems.push({ what, where: `${file}: withdrawals[${k}]` });
    else list.push(completed(record));
  }
  if (problems.length > 0) throw new Failure('data-invalid', problems);
  return { symbols: symbols as ReferenceData['symbols'], coins: (lists.get('coins') ?? []) as ReferenceData['coins'], withdrawals };
}

function itemOf(kind: Kind): Kind {
  return kind.kind === 'oneOrMany' || kind.kind === 'list' ? kind.item : kind;
}

function readList(file: string, name: string, list: unknown, problems: Problem[]): readonly Row[] {
  const known = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  if (known === undefined) {
    problems.push({ what: `${name} is not a list of this file`, where: file, hint: `the lists are ${Object.keys(LISTS).join(', ')}` });
    return [];
  }
  if (!Array.isArray(list)) {
    problems.push({ what: `${name}: expected a list`, where: file });
    return [];
  }
  return list.filter((entry: unknown, k): entry is Row => {
    const where = `${file}: ${name}[${k}]`;
    const found = faultsOf(known.kind, entry, where, known.also);
    if (isRecord(entry))
      for (const field of known.required) if (!Object.hasOwn(entry, field)) found.push({ what: `${field} is missing`, where });
    problems.push(...found);
    return found.length === 0;
  });
}

/** Problems of the fields of an entry. Missing fields are allowed. */
function faultsOf(kind: Kind, entry: unknown, where: string, also: readonly string[] = []): Problem[] {
  if (kind.kind !== 'record') return [];
  if (!isRecord(entry)) return [{ what: 'expected an object', where }];
  return Object.entries(entry).flatMap(([name, value]) => {
    if (also.includes(name)) return [];
    const field = Object.hasOwn(kind.fields, name) ? kind.fields[name] : undefined;
    if (field === undefined) {
      return [{ what: `${name} is not a field of this record`, where, hint: didYouMean(name, Object.keys(kind.fields)) }];
    }
    const { kind: inner } = field;
    if (inner.kind === 'list' && Array.isArray(value))
      return value.flatMap((one, k) => faultsOf(inner.item, one, `${where}.${name}[${k}]`));
    const parsed = documented(inner).safeParse(value);
    if (parsed.success) return [];
    return [{ what: `${name}: ${parsed.error.issues[0]?.message ?? 'is invalid'}, found ${JSON.stringify(value)}`, where }];
  });
}

function contradictions(where: string, entry: Row, instruments: readonly InstrumentSpec[]): Problem[] {
  if (!instruments.some((one) => one.product === 'spot' && one.symbol === entry['symbol'])) return [];
  return Object.keys(entry).flatMap((name) => {
    if (OWN_OF_SYMBOL.includes(name)) return [];
    return [{ what: `${name} of ${String(entry['symbol'])} is decided by the file of instruments`, where }];
  });
}

/** Fills the missing fields of a withdrawal with defaults. */
function completed(record: Row): Withdrawal {
  const { orderId, coin, cTime } = record as unknown as Withdrawal;
  const made = { tradeId: orderId, type: 'withdraw', dest: 'on_chain', fee: '0', status: 'completed', fromAddress: '', toAddress: '' };
  return { ...made, chain: `${coin}-PAPER`, tag: '', uTime: cTime, ...record } as unknown as Withdrawal;
}
