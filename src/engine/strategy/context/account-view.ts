/** The account as a strategy sees it. @hot */
import * as units from '../../../domain/amounts/units.ts';
import type { AccountFigures } from '../../state/account/account-figures.ts';
import type { Account } from '../definition/types.ts';

const { ONE } = units;

export class AccountView implements Account {
  readonly #figures: AccountFigures;
  readonly #equity: () => number;

  /** `equity`: what the strategy sees of it, in money. */
  constructor(figures: AccountFigures, equity: () => number) {
    this.#figures = figures;
    this.#equity = equity;
  }

  get equity(): number {
    return this.#equity() / ONE;
  }
  get available(): number {
    return this.#figures.rest.available / ONE;
  }
  get locked(): number {
    return this.#figures.rest.locked / ONE;
  }
  get unrealised(): number {
    return this.#figures.rest.unrealised / ONE;
  }
}
