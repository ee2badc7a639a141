/** Finds the archives that hold what was asked for. */
import { dayText, lengthOf, monthOf, monthText, unionOf, without, type DayRange } from './days.ts';
import type { ArchiveKind, ArchiveMarket, ArchiveSource } from './sources.ts';

/** What to fetch. */
export interface ArchiveRequest {
  readonly source: ArchiveSource;
  readonly market: ArchiveMarket;
  /** As the vendor writes it. */
  readonly symbol: string;
  /** The word of the command line: "1m", "trades". */
  readonly kind: string;
  readonly row: ArchiveKind;
  /** "" for kinds without one. */
  readonly timeframe: string;
  readonly range: DayRange;
}

/** One file of the vendor. */
export interface Archive {
  /** Below the address of the source. */
  readonly path: string;
  readonly days: DayRange;
}

/** Archives for the days that are asked for and not in `taken`: of whole months the monthly ones, else those of each day. */
export function archivesOf(request: ArchiveRequest, taken: readonly DayRange[] = []): Archive[] {
  const { monthly, daily } = pathsOf(request);
  const archives: Archive[] = [];
  for (let day = request.range.from; day <= request.range.to;) {
    const month = monthOf(day);
    const asked = { from: day, to: Math.min(month.to, request.range.to) };
    day = month.to + 1;
    const missing = without(asked, taken);
    if (missing.length === 0) continue;
    const isWhole = lengthOf(missing) === lengthOf([month]);
    if (monthly !== undefined && (isWhole || daily === undefined))
      archives.push({ path: filled(request, monthly, month.from), days: month });
    else archives.push(...missing.flatMap((days) => dailyArchives(request, days)));
  }
  return archives;
}

/** The archives of each of these days; none if the source has only months. */
export function dailyArchives(request: ArchiveRequest, days: DayRange): Archive[] {
  const { daily } = pathsOf(request);
  if (daily === undefined) return [];
  const all = Array.from({ length: lengthOf([days]) }, (_, k) => days.from + k);
  return all.map((day) => ({ path: filled(request, daily, day), days: { from: day, to: day } }));
}

/** The days that the archives cover: more than were asked for where a source has only months. */
export function coveredDays(archives: readonly Archive[]): DayRange[] {
  return unionOf(archives.map(({ days }) => days));
}

function pathsOf({ row, timeframe }: ArchiveRequest): ArchiveKind['paths'] {
  return row.monthlyTimeframes?.includes(timeframe) === true ? { monthly: row.paths.monthly! } : row.paths;
}

function filled({ symbol, timeframe }: ArchiveRequest, path: string, day: number): string {
  const words: Readonly<Record<string, string>> = {
    symbol,
    timeframe,
    month: monthText(day),
    day: dayText(day),
    yyyymm: monthText(day).replaceAll('-', ''),
    yyyymmdd: dayText(day).replaceAll('-', ''),
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => words[name]!);
}
