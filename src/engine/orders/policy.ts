/**
 * What is done when the outcome of a command is unknown: one row per endpoint. The resolver, the cancel retries and the margin checks use
 * this table. It alone decides whether a command may be sent again.
 */
import {
  ADJUST_MARGIN,
  CANCEL,
  CANCEL_SPOT,
  CANCEL_TRIGGER,
  MODIFY,
  PLACE,
  PLACE_SPOT,
  PLACE_TRIGGER,
  SET_MARGIN_MODE,
} from '../../domain/codes.ts';

/**
 * How the outcome is found. `look`: pending orders (E18), then the history (E17). `again`: the command names a target state and is
 * repeated. `mode-read`, `margin-read`: reads of the account (E9) or of the position (E20). `operator`: no endpoint shows it, so a person
 * decides.
 */
export type ResolvedBy = 'look' | 'again' | 'mode-read' | 'margin-read' | 'operator';

export interface ResolvePolicy {
  readonly endpoint: string;
  readonly by: ResolvedBy;
  /** True if opens of the symbol are halted until the outcome is known. */
  readonly halts: boolean;
  /** True if repeated absence beyond the horizon may end the search. */
  readonly mayPresume: boolean;
  /** True if a cancel by client id is sent as a probe when reads do not show the order. Its success proves that the order had landed. */
  readonly probes: boolean;
  /** How often the command is repeated at most before an alarm; 0 for never. */
  readonly tries: number;
}

const AGAIN = { by: 'again', halts: false, mayPresume: false, probes: false, tries: 4 } as const;

export const RESOLVE_POLICIES: Readonly<Record<number, ResolvePolicy>> = {
  [PLACE_SPOT]: { endpoint: 'E1', by: 'operator', halts: true, mayPresume: false, probes: false, tries: 0 },
  [CANCEL_SPOT]: { endpoint: 'E2', ...AGAIN },
  [SET_MARGIN_MODE]: { endpoint: 'E10', by: 'mode-read', halts: false, mayPresume: false, probes: false, tries: 4 },
  [ADJUST_MARGIN]: { endpoint: 'E11', by: 'margin-read', halts: true, mayPresume: true, probes: false, tries: 0 },
  [PLACE]: { endpoint: 'E12', by: 'look', halts: true, mayPresume: true, probes: true, tries: 0 },
  [PLACE_TRIGGER]: { endpoint: 'E13', by: 'look', halts: true, mayPresume: true, probes: true, tries: 0 },
  [MODIFY]: { endpoint: 'E14', by: 'look', halts: true, mayPresume: true, probes: false, tries: 0 },
  [CANCEL]: { endpoint: 'E15', ...AGAIN },
  [CANCEL_TRIGGER]: { endpoint: 'E16', ...AGAIN },
};

/** The policy of a kind of command. */
export function policyOf(kind: number): ResolvePolicy {
  return RESOLVE_POLICIES[kind] ?? RESOLVE_POLICIES[PLACE]!;
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
export const ID_TAKEN: ResolvePolicy = { ...RESOLVE_POLICIES[PLACE]!, mayPresume: false };

/** A trigger order that its cancel did not find: cancelled earlier, triggered, or never placed. It stays in the exposure meanwhile. */
export const TRIGGER_GONE: ResolvePolicy = { ...RESOLVE_POLICIES[PLACE_TRIGGER]!, halts: false, probes: false };

/** The command that cancels an order of this kind. */
export function cancelOf(kind: number): number {
  if (kind === PLACE) return CANCEL;
  return kind === PLACE_TRIGGER ? CANCEL_TRIGGER : CANCEL_SPOT;
}
