/** Reads what a tape has besides the market: mark prices and funding rates, for the simulator. */
import { Failure } from '../../../base/failure/failure.ts';
import { tradedName, type Instrument } from '../../../domain/instrument.ts';
import type { RecordedRate } from '../../../domain/models/funding.ts';
import { pow10 } from '../../../domain/amounts/scale.ts';
import { RATE_DECIMALS } from '../../../domain/amounts/units.ts';
import type { MarkRows } from '../../../sim/state/types.ts';
import { RATE_UNITS, rateOf } from '../../../tape/file/funding-rates.ts';
import type { Manifest, StreamInfo } from '../../../tape/file/manifest.ts';
import { streamsOf } from '../../../tape/streams-of.ts';
import type { TapeStream } from '../../../tape/file/stream.ts';
import type { BacktestOptions } from '../../setup/options.ts';

/** Plain data that threads share. */
export interface VenueRows {
  readonly marks: readonly MarkRows[];
  readonly funding: readonly RecordedRate[];
}

/** Reads both for the futures of `instruments`. @throws TapeError */
export function loadVenueRows(folder: string, manifest: Manifest, instruments: readonly Instrument[]): VenueRows {
  const marks: MarkRows[] = [];
  const funding: RecordedRate[] = [];
  const isWanted = ({ kind }: StreamInfo): boolean => kind === 'marks' || kind === 'funding';
  for (const stream of streamsOf(folder, manifest, isWanted)) {
    const instrument = instruments.find(({ symbol, product }) => symbol === stream.symbol && product === 'futures');
    if (instrument !== undefined && stream.kind === 'marks') marks.push(marksOf(stream, instrument));
    if (instrument !== undefined && stream.kind === 'funding') addRates(stream, funding);
    stream.close();
  }
  return { marks, funding };
}

/** The same rows with the times of this run: shifted by its start and scaled by its speed. */
export function timedRows(rows: VenueRows, { start, speed }: Pick<BacktestOptions, 'start' | 'speed'>, { from }: Manifest): VenueRows {
  if (speed === 1 && (start === undefined || start === from)) return rows;
  const played = (time: number): number => (start ?? from) + Math.floor((time - from) / speed);
  return {
    marks: rows.marks.map((one) => ({ ...one, time: one.time.map(played) })),
    funding: rows.funding.map((one) => ({ ...one, time: played(one.time) })),
  };
}

/** The tape's rates, for the model `recorded` without a file. @throws Failure if there are none */
export function ratesOf({ funding }: VenueRows, folder: string): readonly RecordedRate[] {
  if (funding.length > 0) return funding;
  throw new Failure('data-invalid', {
    what: 'simulation.funding: recorded rates were expected, found none on the tape',
    where: folder,
    hint: 'import a file of funding rates with the recording, name one in simulation.funding.file, or choose another model',
  });
}

/** Sentences for the report. */
export function venueRowNotes({ marks }: VenueRows, instruments: readonly Instrument[]): string[] {
  const names = marks.map(({ instrument }) => tradedName(instruments[instrument]!));
  if (names.length === 0) return [];
  return [`${names.join(', ')}: margin, liquidation, funding and triggers by mark use the mark prices of the tape, instead of the book's.`];
}

function marksOf(stream: TapeStream, { index, priceDecimals, tickStep }: Instrument): MarkRows {
  const time = shared(stream.rows);
  const ticks = shared(stream.rows);
  const more = priceDecimals - stream.scale.priceDecimals;
  const [factor, unit] = more >= 0 ? [pow10(more), tickStep] : [1, tickStep * pow10(-more)];
  for (let row = 0; stream.next();) {
    for (let k = 0; k < stream.length; k++, row++) {
      time[row] = stream.time[k]!;
      // A mark price comes from an index of several venues, so it is not a multiple of the tick: it is rounded.
      ticks[row] = Math.round((stream.mark[k]! * factor) / unit);
    }
  }
  return { instrument: index, time, ticks };
}

function addRates(stream: TapeStream, funding: RecordedRate[]): void {
  const unit = RATE_UNITS / pow10(RATE_DECIMALS);
  while (stream.next()) {
    for (let k = 0; k < stream.length; k++) {
      funding.push({ symbol: stream.symbol, time: stream.time[k]!, rate: Math.round(rateOf(stream.rate[k]!) / unit) });
    }
  }
}

function shared(rows: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8 * rows));
}
