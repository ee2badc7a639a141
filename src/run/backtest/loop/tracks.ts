/** Data of each stream of the tape, computed once per backtest. */
import type { Subscribers } from '../../../engine/strategy/runner/subscribers.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import type { MarketState } from '../../../sim/state/market-state.ts';
import type { TapeStream } from '../../../tape/file/stream.ts';
import type { Feed, Mirror } from '../../setup/instruments/mirror-row.ts';

/** The receivers of one stream's rows. */
export interface Track {
  readonly stream: TapeStream;
  readonly mirrors: readonly Mirror[];
  readonly isTrades: boolean;
  /** The instrument in the simulator, and in the bot. */
  readonly line: MarketState;
  readonly subscribers: Subscribers;
  /** True if the bot sees every row and no other instrument mirrors the rows. */
  readonly isBulk: boolean;
  /** Its rows show the price of the market: quotes, or trades where there are no quotes. */
  readonly isWatched: boolean;
}

interface TrackDeps {
  readonly merge: { readonly streams: readonly TapeStream[] };
  readonly feeds: readonly Feed[];
  readonly sim: VenueSim;
  readonly kernel: Kernel;
  readonly seesRows: boolean;
}

/** One track per stream, in order. */
export function tracksOf({ merge: { streams }, feeds, sim, kernel, seesRows }: TrackDeps): Track[] {
  const withQuotes = new Set(streams.filter(({ kind }) => kind === 'quotes').map(({ symbol }) => symbol));
  return streams.map((stream) => {
    const { instrument, mirrors } = feeds[stream.index]!;
    const isTrades = stream.kind === 'trades';
    const isBulk = seesRows && mirrors.length === 0;
    const isWatched = !isTrades || !withQuotes.has(stream.symbol);
    return { stream, mirrors, isTrades, line: sim.marketOf(instrument), subscribers: kernel.subscribersOf(instrument), isBulk, isWatched };
  });
}
