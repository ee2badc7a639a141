/** Bars of the past for a live start: of the bot's own recording, then of the tapes that the configuration names. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BotConfig } from '../../config/model.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { BarsWanted } from '../../engine/strategy/bars/bar-feed.ts';
import type { Log } from '../../ports/log.ts';
import { TapeError } from '../../tape/file/error.ts';
import { MANIFEST_FILE } from '../../tape/file/manifest.ts';
import { isBarMarket, openTape, readManifest } from '../../tape/read.ts';
import { barHistory, type BarHistory } from './bar-history.ts';

export interface RecordedHistoryDeps {
  readonly config: Pick<BotConfig, 'record' | 'data'>;
  readonly wanted: readonly BarsWanted[];
  /** Now. */
  readonly until: number;
  readonly log: Log;
}

/** By instrument and timeframe the bars of the source that reaches furthest towards now; older ones of others that join them without a hole. */
export function recordedHistory({ config, wanted, until, log }: RecordedHistoryDeps): BarHistory[] {
  const own = config.record.tape;
  const folders = [...(own !== '' && existsSync(join(own, MANIFEST_FILE)) ? [own] : []), ...config.data];
  if (wanted.length === 0) return [];
  const found = folders.flatMap((folder) => historyOf(folder, wanted, until, log));
  const best = new Map<string, BarHistory>();
  for (const one of found.toSorted((a, b) => b.until - a.until)) {
    const key = `${one.instrument} ${one.timeframe}`;
    const newer = best.get(key);
    best.set(key, newer === undefined ? one : extended(newer, one));
  }
  return [...best.values()];
}

function historyOf(folder: string, wanted: readonly BarsWanted[], until: number, log: Log): BarHistory[] {
  try {
    const known = tradesKnown(folder);
    const instruments = [...new Set(wanted.map(({ instrument }) => instrument))].filter(({ product }) => product === 'futures');
    const found = instruments.flatMap((instrument) => {
      const { from, to } = known.get(instrument.symbol) ?? NONE;
      return to <= from ? [] : barsOf(folder, instrument, wanted, { from, to: Math.min(until, to) });
    });
    const bars = found.map((one) => `${one.rows.length} ${one.timeframe}`);
    if (found.length > 0) log.info('history-recorded', { folder, bars, until: Math.max(...found.map((one) => one.until)) });
    return found;
  } catch (error) {
    if (!(error instanceof TapeError)) throw error;
    // A recording that has just begun.
    if (error.code !== 'empty') log.warn('history-unusable', { folder, error });
    return [];
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const NONE: Span = { from: 0, to: 0 };

/** From when to when a tape has all trades of each symbol, or its bars where it has no trades. Of a recording: since its last gap. */
function tradesKnown(folder: string): Map<string, Span> {
  const { streams, recording } = readManifest(folder);
  const sources = streams.filter(({ kind, symbol }) => kind === 'trades' || (kind === 'bars' && isBarMarket(streams, symbol)));
  return new Map(
    sources.map(({ symbol, from, to, barMs = 1 }) => {
      const gaps = recording?.gaps.filter((gap) => gap.kind === 'trades' && gap.symbol === symbol) ?? [];
      return [symbol, { from: Math.max(from, ...gaps.map((gap) => gap.to)), to: to + barMs }];
    }),
  );
}

function barsOf(folder: string, instrument: Instrument, wanted: readonly BarsWanted[], { from, to }: Span): BarHistory[] {
  const tape = openTape(folder, { hasIds: false, symbols: [instrument.symbol], gridOf: () => instrument });
  const own = wanted.filter((one) => one.instrument === instrument && one.timeframe.rule === 'time');
  // A bar that began before the first known trade is not whole.
  const whole = barHistory(tape, own, to, isBarMarket(tape.manifest.streams, instrument.symbol)).map((one) => ({
    ...one,
    rows: one.rows.filter(([start]) => start >= from),
  }));
  return whole.filter(({ rows }) => rows.length > 0);
}

function extended(newer: BarHistory, older: BarHistory): BarHistory {
  const first = newer.rows[0]![0];
  return older.until < first ? newer : { ...newer, rows: [...older.rows.filter(([start]) => start < first), ...newer.rows] };
}
