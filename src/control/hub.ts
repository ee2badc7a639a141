/**
 * The overview of all bots of a user, as `status --all --json` prints it and the hub's page reads it. Money is a decimal string in the margin
 * coin, "" if unknown; times are milliseconds since 1970, 0 for never.
 */
import type { HaltAnswer } from './answers.ts';

/**
 * `running`: it answers. `starting`: it answers that it is starting. `silent`: its process runs and gives no answer. `stopped`: it was stopped.
 * `killed`: it ended without a stop. `not-understood`: it answers as no version does that is known here. `unknown`: there is no bot, or its files
 * cannot be read.
 */
export type BotState = 'running' | 'starting' | 'silent' | 'stopped' | 'killed' | 'not-understood' | 'unknown';

/** States that need a person. */
export const ALARMS: ReadonlySet<BotState> = new Set(['silent', 'killed', 'not-understood', 'unknown']);

/** Which money: amounts of two kinds are never added up. */
export type AccountKind = 'paper' | 'local' | 'live' | 'unknown';

export interface BotRow {
  /** Its name; the last part of its folder while no name is known. */
  readonly bot: string;
  /** Its state folder; the note of its account lock while that is not known. */
  readonly folder: string;
  /** The folder as a word of a command in a shell. */
  readonly typedFolder: string;
  readonly state: BotState;
  /** What is wrong, and what to do about it; "" for a bot that runs. */
  readonly says: string;
  /** Time when it last gave a status; what follows is from then. */
  readonly seenAt: number;
  readonly pid: number;
  readonly phase: string;
  readonly venue: string;
  readonly account: AccountKind;
  /** "" for a bot of an older version, which does not say it. */
  readonly accountId: string;
  readonly marginCoin: string;
  /** Of its account. */
  readonly equity: string;
  /** What its orders have made today, UTC, after fees and funding. */
  readonly today: string;
  readonly orders: number;
  readonly positions: number;
  readonly unknownOutcomes: number;
  /** Each with the command that ends it at this bot, whatever other bots run. */
  readonly halts: readonly HaltAnswer[];
  /** Address of its dashboard; "" if none is known. */
  readonly dashboard: string;
}

/**
 * What an amount that can be lost is: `least` where something has no bound, `most` where a stop-loss that the venue may hold is not known, "" where
 * neither is so. None counts slippage, fees and orders that rest.
 */
export type Bound = 'least' | 'most' | '';

/** One account and margin coin, however many bots trade on it. */
export interface AccountRow {
  readonly account: AccountKind;
  readonly accountId: string;
  readonly marginCoin: string;
  readonly venue: string;
  /** Names of its bots. */
  readonly bots: readonly string[];
  /** The newest reading of any of its bots, and when it was read. */
  readonly equity: string;
  readonly equityAt: number;
  /** Different legs that its bots know of. */
  readonly positions: number;
  readonly unrealised: string;
  /** What all legs with a bound lose if every stop or liquidation is hit, at most the equity. "" if the positions are not read, or no leg has one. */
  readonly worstLoss: string;
  /** Why `worstLoss` is unknown, or only a least amount; "" if it is neither. */
  readonly worstLossUnknown: string;
  readonly worstLossBound: Bound;
  readonly halts: number;
  /** False if none of its bots answers: all figures are old. */
  readonly isCurrent: boolean;
}

/** Sums over the accounts of one kind and margin coin. With `uncounted` above zero each of them is a least amount. */
export interface TotalRow {
  readonly account: AccountKind;
  readonly marginCoin: string;
  readonly accounts: number;
  /** Sum over the `known` accounts whose equity is known; the oldest reading among them. */
  readonly equity: string;
  readonly known: number;
  readonly equityAt: number;
  /** Sum over the accounts of which it is known; "" if of none. */
  readonly worstLoss: string;
  /** Why `worstLoss` is unknown, or only a least amount, with the bots of each account; "" if it is neither. */
  readonly worstLossUnknown: string;
  /** "least" also while that of an account is unknown, or bots are `uncounted`. */
  readonly worstLossBound: Bound;
  readonly halts: number;
  /** Bots in no sum, because their account is not known, that may trade on an account of this kind and coin. */
  readonly uncounted: number;
}

export interface HubAnswer {
  readonly time: number;
  /** Live money first, then what may be live; accounts too. */
  readonly totals: readonly TotalRow[];
  readonly accounts: readonly AccountRow[];
  /** By name: bot-2 before bot-10. */
  readonly bots: readonly BotRow[];
  /** Names of bots whose account is not known: they are in no sum. */
  readonly uncounted: readonly string[];
}

/** What became of a kill of one bot. */
export interface KillRow {
  readonly bot: string;
  readonly folder: string;
  /** `done`, `partly`, `recorded` or `silent` (no bot has confirmed it), `refused`, or `failed`: nothing is recorded. */
  readonly outcome: 'done' | 'partly' | 'recorded' | 'silent' | 'refused' | 'failed';
  /** Milliseconds from the command to the answer. */
  readonly tookMs: number;
  readonly did: readonly string[];
  readonly open: readonly string[];
}
