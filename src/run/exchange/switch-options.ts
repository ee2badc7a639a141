/** Maps the switches of the paper exchange to options of its parts: simulator, server, and identity of a ledger. */
import { limitFor, type BotConfig } from '../../config/model.ts';
import { BUCKETS } from '../../contract/endpoints/costs.ts';
import type { SwitchValues } from '../../contract/switches.ts';
import type { Limits } from '../../edge/serve/request/request-limits.ts';
import type { ServerOptions } from '../../edge/serve/server-options.ts';
import type { SimSpec } from '../../sim/state/types.ts';

/** Simulator options set by switches. */
export function venueRules(
  values: SwitchValues,
): Pick<SimSpec, 'blockedExits' | 'crossing' | 'modify' | 'bracketsBy' | 'bracketSide' | 'openOrders'> {
  const { blockedExits, crossing, modify, bracketsBy, bracketSide, openOrders } = values;
  return { blockedExits, crossing, modify, bracketsBy, bracketSide, openOrders };
}

/** Server options set by switches. */
export function serverRules(
  { rootMount, errorData, skewWindow, rateLimits, signedPath }: SwitchValues,
  config: BotConfig,
): Pick<ServerOptions, 'mountAtRoot' | 'errorData' | 'clockSkewMs' | 'limits' | 'signedPath'> {
  return {
    mountAtRoot: rootMount,
    errorData,
    signedPath,
    clockSkewMs: skewWindow === 0 ? Number.MAX_SAFE_INTEGER : skewWindow,
    limits: rateLimits === 'config' ? limitsOf(config) : undefined,
  };
}

/** Switches that affect the venue's state. The others only change answers. */
export function stateSwitches(values: SwitchValues): readonly unknown[] {
  const { clientOidScope, modify, marginModeWord, marketBuySize, crossing, bracketsBy, blockedExits, bracketSide, spotWords } = values;
  const { openOrders } = values;
  const all = [clientOidScope, modify, marginModeWord, marketBuySize, crossing, bracketsBy, blockedExits, bracketSide, spotWords];
  // Ledgers from before there was a limit have no such entry.
  return openOrders === 0 ? all : [...all, openOrders];
}

/** Rate limits from the configuration: each bucket holds the requests of one second, at least one. */
function limitsOf({ limits }: BotConfig): Limits {
  return Object.fromEntries(
    BUCKETS.map((bucket) => {
      const perSecond = limitFor(limits, bucket);
      return [bucket, { perSecond, burst: Math.max(1, perSecond) }];
    }),
  );
}
