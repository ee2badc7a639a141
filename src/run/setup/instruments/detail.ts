/** Finer data inside the bars of a tape: which bars have finer data, what the run uses, and what the report says about it. */
import { didYouMean } from '../../../base/text/suggest.ts';
import { Failure } from '../../../base/failure/failure.ts';
import { grouped } from '../../../base/text/figures.ts';
import { greatestCommonDivisor, pow10 } from '../../../domain/amounts/scale.ts';
import { coverageOf } from '../../../tape/coverage.ts';
import { Cover } from '../../../tape/bars/finer-rows.ts';
import type { Manifest, StreamInfo, SymbolInfo } from '../../../tape/file/manifest.ts';
import { isBarMarket, readManifest } from '../../../tape/read.ts';
import type { DetailTape } from '../../../tape/tape.ts';

/** Plain data that threads can have. */
export interface Detail extends DetailTape {
  readonly manifest: Manifest;
  /** Number of bars between --from and --to in all symbols, by how much finer data they have. */
  readonly counts: { readonly covered: number; readonly none: number; readonly part: number; readonly other: number };
}

interface Span {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Holds a finer tape against a tape of bars: one pass over both. @throws Failure, TapeError */
export function readDetail(tape: string, folder: string, span: Span): Detail {
  const coarse = readManifest(tape);
  const manifest = readManifest(folder);
  const symbols = coarse.symbols.map(({ symbol }) => symbol).filter((symbol) => isBarMarket(coarse.streams, symbol));
  if (symbols.length === 0)
    throw refusal('--detail needs a tape of bars as --tape, found one of trades and quotes', tape, 'leave --detail out');
  const shared = symbols.filter((symbol) => manifest.symbols.some((one) => one.symbol === symbol));
  if (shared.length === 0) throw unknownSymbols(symbols, manifest, folder);
  const covers = new Map<string, Uint8Array>();
  const counts = { covered: 0, none: 0, part: 0, other: 0 };
  for (const symbol of symbols) {
    if (shared.includes(symbol)) refuseKinds(coarse.streams, manifest.streams, symbol, folder);
    else counts.none += coarse.streams.find((one) => one.symbol === symbol)!.rows;
  }
  const isApart = ({ from, to }: Manifest, other: Manifest): boolean => to < other.from || other.to < from;
  if (isApart(coarse, manifest)) {
    const times = ({ from, to }: Manifest): string => [from, to].map((time) => new Date(time).toISOString()).join(' to ');
    throw refusal(`data of ${times(coarse)} was expected, found data of ${times(manifest)}`, folder, 'name a tape of the same time');
  }
  for (const symbol of shared) {
    const found = coverageOf(tape, folder, symbol);
    covers.set(symbol, found.covers);
    count(found, span, counts);
  }
  if (counts.covered === 0 && counts.other > 0 && counts.other >= counts.part) {
    throw refusal(
      `prices and volumes of the same market were expected, found others in all ${grouped(String(counts.other + counts.part))} bars that it has rows of`,
      folder,
      'it may be of another product (spot, futures), another venue or another time zone; "tickwright tape info" shows both',
    );
  }
  return { folder, manifest, covers, counts };
}

/** The tape as its market is: of symbols with finer rows what those say of the grid. */
export function withDetail<T extends Pick<Manifest, 'symbols' | 'streams'>>(coarse: T, detail: Detail | undefined): T {
  if (detail === undefined) return coarse;
  const { symbols, streams } = detail.manifest;
  const isFiner = (symbol: string): boolean => detail.covers.has(symbol);
  const infos = coarse.symbols.map((info) => {
    const finer = symbols.find((one) => one.symbol === info.symbol && isFiner(one.symbol));
    return finer === undefined ? info : onBoth(info, finer);
  });
  const kept = coarse.streams.filter(({ symbol, kind }) => kind !== 'bars' || !isFiner(symbol));
  return { ...coarse, symbols: infos, streams: [...kept, ...streams.filter(({ symbol }) => isFiner(symbol))] };
}

/** The tape from which a run takes its prices: the finer one if it covers every bar, else the coarse one. */
export function marketOf(coarse: Manifest, detail: Detail | undefined): Manifest {
  const isWhole = detail !== undefined && detail.counts.covered > 0 && missing(detail) === 0;
  return isWhole ? withDetail(coarse, detail) : coarse;
}

/** Sentences for the report. */
export function detailNotes(detail: Detail | undefined): string[] {
  if (detail === undefined) return [];
  const { covered, none, part, other } = detail.counts;
  const all = covered + missing(detail);
  const bars = (n: number): string => grouped(String(n));
  const had = `${bars(covered)} of ${bars(all)} bars ran on the finer data of the detail tape`;
  if (covered === all) return [`${had}.`];
  const why = [
    ...(none === 0 ? [] : [`${bars(none)} without finer data`]),
    ...(part === 0 ? [] : [`${bars(part)} of which it has only a part`]),
    ...(other === 0 ? [] : [`${bars(other)} with prices outside the bar or more volume than it has`]),
  ];
  return [`${had}; ${isBars(detail) ? 'as bars ran' : 'prices were drawn in'} ${why.join(', ')}.`];
}

/** True if what is finer has bars alone. */
function isBars({ manifest, covers }: Detail): boolean {
  return [...covers.keys()].every((symbol) => isBarMarket(manifest.streams, symbol));
}

function missing({ counts: { none, part, other } }: Detail): number {
  return none + part + other;
}

function count({ covers, times, barMs }: ReturnType<typeof coverageOf>, { from = -Infinity, to = Infinity }: Span, counts: Counts): void {
  for (const [k, time] of times.entries()) {
    if (time + barMs <= from || time >= to) continue;
    const cover = covers[k]!;
    if (cover === Cover.none) counts.none++;
    else if (cover === Cover.part) counts.part++;
    else if (cover === Cover.other) counts.other++;
    else counts.covered++;
  }
}

type Counts = { -readonly [K in keyof Detail['counts']]: number };

/** Prices of both; sizes of the finer one, as volumes of bars say nothing about the lot. */
function onBoth(coarse: SymbolInfo, finer: SymbolInfo): SymbolInfo {
  const priceDecimals = Math.max(coarse.priceDecimals, finer.priceDecimals);
  const step = (one: SymbolInfo): number => one.priceStep * pow10(priceDecimals - one.priceDecimals);
  return {
    ...finer,
    priceDecimals,
    priceStep: greatestCommonDivisor(step(coarse), step(finer)),
    writtenPriceDecimals: Math.max(coarse.writtenPriceDecimals, finer.writtenPriceDecimals),
  };
}

function refuseKinds(coarse: readonly StreamInfo[], fine: readonly StreamInfo[], symbol: string, folder: string): void {
  const kinds = fine.filter((one) => one.symbol === symbol).map(({ kind }) => kind);
  const isMarket = kinds.includes('trades') && kinds.includes('quotes');
  if (isMarket) return;
  if (!isBarMarket(fine, symbol)) {
    const hint = 'import trades and quotes together, or make shorter bars of the trades with "tickwright tape resample"';
    throw refusal(`${symbol}: trades and quotes, or bars, were expected, found ${kinds.join(' and ')}`, folder, hint);
  }
  const [long, short] = [coarse, fine].map((infos) => infos.find((one) => one.symbol === symbol && one.kind === 'bars')!.barMs!);
  if (short! < long! && long! % short! === 0) return;
  throw refusal(
    `${symbol}: bars that fit a whole number of times into ${long! / 1000} s were expected, found bars of ${short! / 1000} s`,
    folder,
    short! > long! ? 'swap --tape and --detail' : 'name a tape of shorter bars, or of trades and quotes',
  );
}

function unknownSymbols(symbols: readonly string[], { symbols: infos }: Manifest, folder: string): Failure {
  const known = infos.map(({ symbol }) => symbol);
  const near = symbols.map((symbol) => didYouMean(symbol, known)).find((hint) => hint !== undefined);
  return refusal(`a symbol of the tape of bars was expected (${symbols.join(', ')}), found ${known.join(', ')}`, folder, near);
}

function refusal(what: string, where: string, hint?: string): Failure {
  return new Failure('data-invalid', { what: `--detail: ${what}`, where, hint });
}
