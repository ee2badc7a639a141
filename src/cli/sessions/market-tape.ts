/** The flags that name a recorded tape as the market of a session. */
import type { MarketTape } from '../../run/live/facts/market-rows.ts';
import { requireTape } from '../shell/cli-context.ts';

export interface MarketTapeFlags {
  readonly tape?: string;
  readonly speed?: number;
  readonly start?: number;
}

/** @throws Failure (usage) */
export function marketTapeOf({ tape, speed, start }: MarketTapeFlags): MarketTape | undefined {
  return tape === undefined ? undefined : { folder: requireTape(tape), speed, start };
}
