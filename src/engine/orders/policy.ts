/**
 * What is done when the outcome of a command is unknown: one row per endpoint. The resolver, the retries of cancels and the margin
 * checks read this table; nothing else decides whether a command may be sent again.
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
 * `look`: pending orders (E18), then the history (E17) decide. `again`: the command names a target state and is sent again. `mode-read`,
 * `margin-read`: reads of the account (E9) or of the position (E20) decide. `operator`: no endpoint shows it, so a person decides.
 */
export type ResolvedBy = 'look' | 'again' | 'mode-read' | 'margin-read' | 'operator';

export interface ResolvePolicy {
  readonly endpoint: string;
  readonly by: ResolvedBy;
  /** Opens of the symbol are halted until the outcome is known. */
  readonly halts: boolean;
  /** Repeated absence beyond the horizon may end it. */
  readonly mayPresume: boolean;
  /** A cancel by client id is sent as a probe when reads do not show the order. Its success proves that the order had landed. */
  readonly probes: boolean;
  /** How often the command is sent again at most before an alarm; 0 for never. */
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

/** The cause that the client gives a write which the venue refused with 429. */
const RATE_LIMITED = 'rate-limited';

/**
 * The same for an outcome that is unknown for `cause`. An order that was refused for its rate is looked for like any other and counts
 * as landed meanwhile, but halts nothing: a bucket that is used up would halt one symbol after the other.
 */
export function policyFor(kind: number, cause: string): ResolvePolicy {
  const policy = policyOf(kind);
  return cause === RATE_LIMITED && policy.by === 'look' ? { ...policy, halts: false } : policy;
}

/** The id was taken before the command left: an order with it exists or existed, so absence never ends the doubt. */
export const ID_TAKEN: ResolvePolicy = { ...RESOLVE_POLICIES[PLACE]!, mayPresume: false };

/** A trigger order that its cancel did not find: cancelled earlier, triggered, or never there. It stays in the exposure meanwhile. */
export const TRIGGER_GONE: ResolvePolicy = { ...RESOLVE_POLICIES[PLACE_TRIGGER]!, halts: false, probes: false };

/** The command that cancels an order of this kind. */
export function cancelOf(kind: number): number {
  if (kind === PLACE) return CANCEL;
  return kind === PLACE_TRIGGER ? CANCEL_TRIGGER : CANCEL_SPOT;
}
