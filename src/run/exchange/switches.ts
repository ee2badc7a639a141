/** What the switches of the paper exchange mean to its parts: the venue's rules, the socket, and the identity of a ledger. */
import { limitFor, type BotConfig } from '../../config/model.ts';
import { BUCKETS } from '../../contract/endpoints/costs.ts';
import type { SwitchValues } from '../../contract/switches.ts';
import type { Limits } from '../../edge/serve/limits.ts';
import type { ServerOptions } from '../../edge/serve/server.ts';
import type { SimSpec } from '../../sim/state/types.ts';

/** The part of the simulator's spec that is a matter of switches. */
export function venueRules(values: SwitchValues): Pick<SimSpec, 'blockedExits' | 'crossing' | 'modify' | 'presetsBy'> {
  const { blockedExits, crossing, modify, presetsBy } = values;
  return { blockedExits, crossing, modify, presetsBy };
}

/** The part of the server's options that is a matter of switches. */
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

/** The switches that decide what an input does to the venue's state; the others only change how answers look. */
export function stateSwitches(values: SwitchValues): readonly unknown[] {
  const { clientOidScope, modify, marginModeWord, marketBuySize, crossing, presetsBy, blockedExits, presetSide, spotWords } = values;
  return [clientOidScope, modify, marginModeWord, marketBuySize, crossing, presetsBy, blockedExits, presetSide, spotWords];
}

/** One bucket of the configured size each, which holds a second's worth, and at least one request. */
function limitsOf({ limits }: BotConfig): Limits {
  return Object.fromEntries(
    BUCKETS.map((bucket) => {
      const perSecond = limitFor(limits, bucket);
      return [bucket, { perSecond, burst: Math.max(1, perSecond) }];
    }),
  );
}
