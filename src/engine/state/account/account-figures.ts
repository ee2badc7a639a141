/** Money of the account: as it was read, or asked for by a function call if the venue pushes. */
import type { Portfolio } from './portfolio.ts';

/** Figures of a simulated account, read by function call. Nobody but the bot trades on it. */
export interface PushedAccount {
  /** Equities that came one after the other since the last call, where the present one does not tell of them: inside a bar of a backtest. */
  readonly passed?: () => readonly number[];
  /** Money. */
  readonly equity: () => number;
  /** The rest of the account's record, money. */
  readonly account: () => { readonly available: number; readonly locked: number; readonly unrealised: number };
  /** Leverage of LONG and SHORT. Absent: it is not known. */
  readonly leverage?: (instrument: number) => readonly [number, number];
  /** Legs of an instrument that are not flat. */
  readonly positions: (instrument: number) => readonly PushedPosition[];
}

/** Prices are in the quote coin per base coin, a liquidation price of 0 means none; the margin is money. */
export interface PushedPosition {
  readonly side: number;
  readonly markPrice: number;
  readonly liquidationPrice: number;
  readonly margin: number;
}

export class AccountFigures {
  /** The account of a venue that pushes; null if the account is read. */
  readonly pushed: PushedAccount | null;
  readonly #portfolio: Portfolio;

  constructor(portfolio: Portfolio, pushed: PushedAccount | null) {
    this.#portfolio = portfolio;
    this.pushed = pushed;
  }

  /** Money; NaN if unknown. */
  get equity(): number {
    return this.pushed === null ? this.#portfolio.equity : this.pushed.equity();
  }

  /** The other money of the account; NaN if unknown. */
  get rest(): Pick<Portfolio, 'available' | 'locked' | 'unrealised'> {
    return this.pushed === null ? this.#portfolio : this.pushed.account();
  }
}
