/** The flags that name a recorded tape as the market of a session. */
import type { Command } from 'commander';
import type { MarketTape } from '../../run/live/facts/market-rows.ts';
import { requireTape } from '../shell/context.ts';
import { moment, numberBetween } from '../shell/values.ts';

export interface MarketTapeFlags {
  readonly tape?: string;
  readonly speed?: number;
  readonly start?: number;
}

export function withMarketTape(command: Command): Command {
  return command
    .option('-t, --tape <folder>', 'the market of the same time, from `tape record`, instead of what the polls returned')
    .option('--speed <factor>', 'of a tape that the paper exchange served: its speed', numberBetween(0.001, 10_000))
    .option('--start <time>', 'of a tape that the paper exchange served: when it served the first row', moment);
}

/** @throws Failure (usage) */
export function marketTapeOf({ tape, speed, start }: MarketTapeFlags): MarketTape | undefined {
  return tape === undefined ? undefined : { folder: requireTape(tape), speed, start };
}
