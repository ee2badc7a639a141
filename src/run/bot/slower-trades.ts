/** Polls trades as slowly as the limits ask for, where nobody chose `poll.trades`: a market of many symbols, or a universe. */
import type { BotConfig } from '../../config/model.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { PollPlanError, readsAMinute } from '../../engine/polling/schedule.ts';
import { formatDuration } from '../../base/time/duration.ts';
import { pollSettings } from '../setup/bot-parts.ts';
import { preflightOf, tryKernel, type Preflight } from './preflight.ts';

/** The most of a bucket that polls may use then: the rest is for history, later pages and a person who looks. */
const SHARE = 0.5;
/** Periods are multiples of this. Milliseconds. */
const STEP_MS = 50;
/** Trades are not polled more slowly than this. Milliseconds. */
const SLOWEST_MS = 60_000;

export interface FittingPreflight {
  readonly preflight: Preflight;
  /** With a longer `poll.trades` if the given one does not fit. */
  readonly config: BotConfig;
  /** What was changed, as a line for people; "" for nothing. */
  readonly note: string;
}

/**
 * As `preflightOf`, but if `poll.trades` alone makes the polls too many and `maySlow`, trades are polled more slowly until half of their
 * bucket is used. @throws what `preflightOf` throws, the PollPlanError of the given periods if slower trades do not help
 */
export async function fittingPreflight(config: BotConfig, instruments: readonly Instrument[], maySlow: boolean): Promise<FittingPreflight> {
  try {
    return { preflight: await preflightOf(config, instruments), config, note: '' };
  } catch (error) {
    if (!maySlow || !(error instanceof PollPlanError)) throw error;
    const found = await slowed(config, instruments).catch(() => null);
    if (found === null) throw error;
    return found;
  }
}

async function slowed(config: BotConfig, instruments: readonly Instrument[]): Promise<FittingPreflight | null> {
  const slowest = withTrades(config, SLOWEST_MS);
  const preflight = await preflightOf(slowest, instruments);
  const polls = tryKernel(slowest, preflight);
  const { budget } = pollSettings(config);
  const { bucket } = budget.calls.trades;
  const inBucket = polls.filter((poll) => poll.bucket === bucket);
  const trades = inBucket.filter(({ kind, periodMs }) => kind === 'trades' && periodMs === SLOWEST_MS);
  const others = inBucket.filter((poll) => !trades.includes(poll)).reduce((sum, poll) => sum + readsAMinute(poll), 0);
  const free = (budget.buckets[bucket]?.perSecond ?? 0) * SHARE - others / 60;
  const weight = trades.reduce((sum, poll) => sum + poll.weight, 0);
  const periodMs = Math.ceil((1_000 * weight) / free / STEP_MS) * STEP_MS;
  if (trades.length === 0 || free <= 0 || periodMs > SLOWEST_MS) return null;
  const [before, after] = [config.poll.trades, periodMs].map((ms) => formatDuration(ms));
  const note = `trades of ${trades.length} symbols every ${after}, not ${before}: the limits allow no more requests; poll.trades sets it`;
  const fitting = withTrades(config, periodMs);
  tryKernel(fitting, preflight);
  return { preflight, config: fitting, note };
}

function withTrades(config: BotConfig, trades: number): BotConfig {
  return { ...config, poll: { ...config.poll, trades } };
}
