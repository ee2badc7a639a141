/** What a backtest knows of each stream of its tape, worked out once. */
import type { Subscribers } from '../../engine/strategy/subscribers.ts';
import type { Kernel } from '../../engine/kernel.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import type { MarketState } from '../../sim/state/market-state.ts';
import type { TapeStream } from '../../tape/stream.ts';
import type { Feed, Mirror } from '../setup/mirror-row.ts';

/** Where the rows of one stream go. */
export interface Track {
  readonly stream: TapeStream;
  readonly mirrors: readonly Mirror[];
  readonly isTrades: boolean;
  /** The instrument as the venue has it, and as the bot does. */
  readonly line: MarketState;
  readonly subscribers: Subscribers;
  /** Whether the bot is shown every row, and nobody else has it on another grid. */
  readonly isBulk: boolean;
}

interface TrackParts {
  readonly merge: { readonly streams: readonly TapeStream[] };
  readonly feeds: readonly Feed[];
  readonly sim: VenueSim;
  readonly kernel: Kernel;
  readonly everyTick: boolean;
}

/** By number of the stream. */
export function tracksOf({ merge: { streams }, feeds, sim, kernel, everyTick }: TrackParts): Track[] {
  return streams.map((stream) => {
    const { instrument, mirrors } = feeds[stream.index]!;
    const isTrades = stream.kind === 'trades';
    const isBulk = everyTick && mirrors.length === 0;
    return { stream, mirrors, isTrades, line: sim.marketOf(instrument), subscribers: kernel.subscribersOf(instrument), isBulk };
  });
}
