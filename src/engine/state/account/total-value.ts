/** The value of all legs together and its limit, and the equity that relative limits depend on. @hot */
import type { InstrumentContext } from '../records/instrument-context.ts';
import type { Hours } from '../../../domain/time/hours.ts';
import type { RiskLimits } from '../../../domain/limits.ts';
import { RateWindow } from '../limits/rate-window.ts';
import * as stated from '../limits/limits.ts';

const { hoursOf, numberOf, statedForAll, ValueLimit } = stated;
const MINUTE_MS = 60_000;

export class TotalValue {
  /** Money; Infinity for no limit, −1 while it is a share of an unknown equity. */
  most = Infinity;
  /** The same by the multiple of the equity. */
  mostByEquity = Infinity;
  declare private readonly contexts: readonly InstrumentContext[];
  declare private readonly limit: InstanceType<typeof ValueLimit>;
  declare private readonly leverage: number;
  /** Times of the last opening orders of the whole bot; null if their rate is not limited. */
  declare readonly openRate: RateWindow | null;
  /** Trading hours of the whole bot; null for always. */
  declare readonly hours: Hours | null;
  /** True if any limit is a share of the equity. */
  declare readonly hasShares: boolean;

  /** Returns the equity in money if the venue pushes; null if the account is read. */
  declare private readonly source: (() => number) | null;

  constructor(contexts: readonly InstrumentContext[], limits: RiskLimits, source: (() => number) | null = null) {
    this.source = source;
    this.contexts = contexts;
    this.limit = new ValueLimit([statedForAll(limits, 'maxNotionalTotal')], contexts[0]!.instrument.quoteCoin);
    this.leverage = numberOf('maxLeverage', statedForAll(limits, 'maxLeverage'));
    const opens = numberOf('maxOrdersPerMinute', statedForAll(limits, 'maxOrdersPerMinute'));
    this.openRate = opens === Infinity ? null : new RateWindow(opens, MINUTE_MS);
    this.hours = hoursOf(statedForAll(limits, 'tradingHours'));
    this.hasShares = this.leverage !== Infinity || this.limit.isShare || contexts.some((context) => context.hasShares);
    this.equityIs(Number.NaN);
  }

  /** Value of all legs in money, with every live opening order counted as filled. */
  get exposure(): number {
    const contexts = this.contexts;
    let sum = 0;
    for (let i = 0; i < contexts.length; i++) sum += contexts[i]!.exposure;
    return sum;
  }

  /** Called before an order is judged: updates the equity if relative limits need it and the venue pushes. */
  refresh(): void {
    if (this.hasShares && this.source !== null) this.equityIs(this.source());
  }

  /** Sets the account's equity in money, NaN if unknown, and updates the relative limits. */
  equityIs(equity: number): void {
    this.limit.equityIs(equity);
    this.most = this.limit.money;
    if (this.leverage !== Infinity) this.mostByEquity = Number.isNaN(equity) ? -1 : Math.max(0, equity) * this.leverage;
    if (this.hasShares) for (const context of this.contexts) context.equityIs(equity);
  }
}
