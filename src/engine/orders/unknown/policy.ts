/**
 * Says what the resolver, the cancel retries and the margin checks do about an unknown outcome: the table of command traits, and what
 * changes it in a single case.
 */
import { PLACE, PLACE_TRIGGER } from '../../../domain/codes.ts';
import { COMMAND_TRAITS, type ResolvePolicy } from '../../../domain/orders/command-traits.ts';

/** The policy of a kind of command. */
export function policyOf(kind: number): ResolvePolicy {
  return (COMMAND_TRAITS[kind] ?? COMMAND_TRAITS[PLACE]!).unknown;
}

/** The cause that the client reports for a write that the venue refused with HTTP status 429. */
const RATE_LIMITED = 'rate-limited';

/**
 * The policy for an outcome that is unknown for `cause`. An order refused for its rate is searched for and counts as landed meanwhile, but
 * halts nothing: otherwise one exhausted rate limit would halt every symbol.
 */
export function policyFor(kind: number, cause: string): ResolvePolicy {
  const policy = policyOf(kind);
  return cause === RATE_LIMITED && policy.by === 'look' ? { ...policy, halts: false } : policy;
}

/** The client id was already used before the command left. An order with it exists or existed, so absence proves nothing. */
export const ID_TAKEN: ResolvePolicy = { ...policyOf(PLACE), mayPresume: false };

/** A trigger order that its cancel did not find: cancelled earlier, triggered, or never placed. It stays in the exposure meanwhile. */
export const TRIGGER_GONE: ResolvePolicy = { ...policyOf(PLACE_TRIGGER), halts: false, probes: false };
