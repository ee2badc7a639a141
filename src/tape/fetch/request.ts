/** The words of `tape fetch` as a request, or an error that lists what there is. */
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { DAY_MS } from '../../base/time/time-spans.ts';
import { plainSymbol } from '../formats/symbols.ts';
import type { ArchiveRequest } from './archives.ts';
import { dayText, periodOf, rangeText, type DayRange } from './days.ts';
import { ARCHIVE_SOURCES, kindWords, rowOf, type ArchiveMarket, type ArchiveSource } from './sources.ts';

/** As typed. */
export interface FetchWords {
  readonly source: string;
  readonly symbol: string;
  readonly kind: string;
  readonly range: string;
  readonly market: ArchiveMarket;
  /** Coins in a contract. */
  readonly contractSize?: string | undefined;
}

/** Ten years and the days of leap years. */
const DAYS_MAX = 3_653;

/** `now`: milliseconds since 1970. An archive is published once its day is over. @throws Failure (fetch-request) */
export function fetchRequest(words: FetchWords, now: number): ArchiveRequest {
  const { market } = words;
  const source = sourceOf(words.source);
  const row = rowOf(source, market, words.kind);
  if (row === undefined) throw unknownKind(source, words);
  checkSymbol(source, words);
  if (row.sizeInContracts === true && words.contractSize === undefined) {
    throw wrong(
      `expected how many coins a contract is, found sizes in contracts of ${words.symbol}`,
      '--contract-size',
      'for example 0.01 for BTC-USDT-SWAP',
    );
  }
  const timeframe = row.kind === 'bars' ? words.kind : (row.timeframes?.[0] ?? '');
  return { source, market, symbol: words.symbol, kind: words.kind, row, timeframe, range: rangeOf(words.range, now) };
}

function sourceOf(name: string): ArchiveSource {
  const found = ARCHIVE_SOURCES.find((source) => source.name === name);
  if (found !== undefined) return found;
  const names = ARCHIVE_SOURCES.map((source) => source.name);
  throw wrong(`expected a source (${names.join(', ')}), found ${JSON.stringify(name)}`, 'SOURCE', didYouMean(name, names) ?? LIST);
}

const LIST = 'tickwright tape fetch --list shows all sources and kinds';

function unknownKind(source: ArchiveSource, { kind, market }: FetchWords): Failure {
  const words = kindWords(source, market);
  const elsewhere = (['futures', 'spot'] as const).find((other) => other !== market && kindWords(source, other).includes(kind));
  const hint = elsewhere === undefined ? (didYouMean(kind, words) ?? LIST) : `it is there with --market ${elsewhere}`;
  return wrong(`expected a kind of ${source.name} ${market} (${words.join(', ')}), found ${JSON.stringify(kind)}`, 'KIND', hint);
}

function checkSymbol(source: ArchiveSource, { symbol, market }: FetchWords): void {
  const { form, example } = source.symbol[market];
  if (form.test(symbol)) return;
  const found = JSON.stringify(symbol);
  const what = `expected a symbol as ${source.title} writes it (${market}: ${example}), found ${found}`;
  if (/USD_?(PERP)?$|-USD-/.test(symbol.toUpperCase()) && symbol.includes('_'))
    throw wrong(what, 'SYMBOL', 'coin-margined contracts are inverse: they are not computed here');
  const other = (['futures', 'spot'] as const).find((one) => one !== market && source.symbol[one].form.test(symbol));
  const near = [symbol.toUpperCase(), plainSymbol(symbol.toUpperCase())].find((one) => form.test(one));
  throw wrong(
    what,
    'SYMBOL',
    near !== undefined ? `did you mean "${near}"?` : other === undefined ? undefined : `--market ${other} has such symbols`,
  );
}

function rangeOf(text: string, now: number): DayRange {
  const [first = '', last = first, ...rest] = text.split('..');
  const [from, to] = [periodOf(first), periodOf(last)];
  if (from === null || to === null || rest.length > 0) {
    const hint = 'FROM and TO are years, months or days in UTC, both included: 2024-01..2024-06, 2024-01-05..2024-01-09, 2023';
    throw wrong(`expected FROM..TO, found ${JSON.stringify(text)}`, 'RANGE', hint);
  }
  if (to.to < from.from) {
    throw wrong(`expected FROM before TO, found ${JSON.stringify(text)}`, 'RANGE', `turn it round: ${last}..${first}`);
  }
  // The day of `now` is not over.
  const newest = Math.floor(now / DAY_MS) - 1;
  for (const { from: begins } of [from, to]) {
    if (begins <= newest) continue;
    const what = `expected days that are over, found ${dayText(begins)}`;
    throw wrong(what, 'RANGE', `the newest day that can be there is ${dayText(newest)}`);
  }
  const range = { from: from.from, to: Math.min(to.to, newest) };
  if (range.to - range.from < DAYS_MAX) return range;
  throw wrong(`expected ten years at most, found ${rangeText(range)}`, 'RANGE', 'fetch it in parts: each is joined to the tape');
}

function wrong(what: string, where: string, hint?: string): Failure {
  return new Failure('fetch-request', { what, where, hint });
}
