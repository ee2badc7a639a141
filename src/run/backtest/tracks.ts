/** What a backtest knows of each stream of its tape, worked out once. */
import type { VenueSim, Watched } from '../../sim/core.ts';
import type { TapeStream } from '../../tape/stream.ts';
import type { Feed } from '../mirror-row.ts';

/** Where the rows of one stream go. */
export interface Track extends Feed {
  readonly stream: TapeStream;
  readonly isTrades: boolean;
  /** The prices at which a row reaches an order. */
  readonly watch: Watched;
  /** Whether the bot is shown every row, and nobody else has it on another grid. */
  readonly isBulk: boolean;
}

/** By number of the stream. */
export function tracksOf(streams: readonly TapeStream[], feeds: readonly Feed[], sim: VenueSim, everyTick: boolean): Track[] {
  return streams.map((stream) => {
    const { instrument, mirrors } = feeds[stream.index]!;
    const isTrades = stream.kind === 'trades';
    return { stream, instrument, mirrors, isTrades, watch: sim.watched(instrument), isBulk: everyTick && mirrors.length === 0 };
  });
}
