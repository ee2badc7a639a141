/** The margin mode that own commands ask for: a change of the account to it was made by the bot itself. Plain JSON in the snapshot. */
export interface OwnMode {
  /** Mode of the newest command, −1 for none. */
  readonly asked: number;
  /** The mode before it, and when a command last asked for that; −1 and 0 for none. */
  readonly former: number;
  readonly formerUntil: number;
}

export const NO_MODE: OwnMode = { asked: -1, former: -1, formerUntil: 0 };

/** A command with the mode `mode` leaves at `now`. */
export function modeAsked(own: OwnMode, mode: number, now: number): OwnMode {
  return own.asked === mode ? own : { asked: mode, former: own.asked, formerUntil: now };
}

/** True if the account may have this mode by the newest own command, or by one that left at most `withinMs` ago. */
export function mayBeOwn({ asked, former, formerUntil }: OwnMode, shown: number, now: number, withinMs: number): boolean {
  return shown === asked || (shown === former && now - formerUntil <= withinMs);
}
