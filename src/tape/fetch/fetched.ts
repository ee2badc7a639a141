/** The entry of tape.json about rows that were fetched, and whether more may be added to them. */
import { TapeError } from '../file/error.ts';
import type { FetchedDays, Manifest } from '../file/manifest.ts';
import { plainSymbol } from '../formats/symbols.ts';
import { coveredDays, type Archive, type ArchiveRequest } from './archives.ts';
import { dayText, periodOf, unionOf, without, type DayRange } from './days.ts';

/** The days of the request that the tape has already. */
export function takenDays(request: ArchiveRequest, manifest: Manifest | null): DayRange[] {
  return rangesOf(entryOf(request, manifest)?.days ?? []);
}

/** `before` with what was fetched now; days that were not published and are there now are missing no longer. */
export function fetchedWith(
  before: Manifest | null,
  request: ArchiveRequest,
  archives: readonly Archive[],
  missing: readonly DayRange[],
): FetchedDays[] {
  const old = entryOf(request, before);
  const days = unionOf([...rangesOf(old?.days ?? []), ...coveredDays(archives)]);
  const gaps = unionOf([...rangesOf(old?.missing ?? []), ...missing]).flatMap((gap) => without(gap, days));
  const { source, market, symbol, kind } = request;
  const entry = { source: source.name, market, symbol, kind, days: textsOf(days), missing: textsOf(gaps) };
  const others = (before?.fetched ?? []).filter((one) => one !== old);
  return [...others, entry];
}

/** Refuses to mix two markets, or two kinds of data that become the same rows. @throws TapeError unsupported */
export function refuseMixture(request: ArchiveRequest, manifest: Manifest, folder: string): void {
  const name = plainSymbol(request.symbol);
  const refuse = (has: string): never => {
    const what = `a tape without ${name}, or with ${name} from ${titleOf(request)}, was expected, found ${has}`;
    throw new TapeError('unsupported', what, folder, 'name another folder with --out');
  };
  if (manifest.recording !== undefined) refuse('a recording of a venue');
  for (const entry of manifest.fetched ?? []) {
    if (plainSymbol(entry.symbol) !== name) continue;
    const isSame = entry.source === request.source.name && entry.market === request.market && entry.symbol === request.symbol;
    const kind = request.source.kinds.find((row) => row.market === request.market && row.kind === entry.kind)?.tape ?? 'bars';
    if (!isSame || (kind === request.row.tape && entry.kind !== request.kind)) refuse(`${entry.kind} of ${entry.source} ${entry.market}`);
  }
  const bars = manifest.streams.find(({ symbol, kind }) => symbol === name && kind === 'bars');
  const barMs = barMsOf(request);
  if (barMs !== undefined && bars !== undefined && bars.barMs !== barMs) refuse(`bars of ${(bars.barMs ?? 0) / 1000} s`);
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Length of the bars of a request, milliseconds; undefined for other kinds. */
export function barMsOf({ row, timeframe }: ArchiveRequest): number | undefined {
  return row.tape === 'bars' ? Number.parseInt(timeframe, 10) * UNIT_MS[timeframe.at(-1)!]! : undefined;
}

/** "1m of binance-vision futures". */
export function titleOf({ source, market, kind }: ArchiveRequest): string {
  return `${kind} of ${source.name} ${market}`;
}

function entryOf({ source, market, symbol, kind }: ArchiveRequest, manifest: Manifest | null): FetchedDays | undefined {
  return manifest?.fetched?.find(
    (one) => one.source === source.name && one.market === market && one.symbol === symbol && one.kind === kind,
  );
}

function rangesOf(texts: FetchedDays['days']): DayRange[] {
  return texts.map(([from, to]) => ({ from: periodOf(from)!.from, to: periodOf(to)!.to }));
}

function textsOf(ranges: readonly DayRange[]): FetchedDays['days'] {
  return ranges.map(({ from, to }) => [dayText(from), dayText(to)]);
}
