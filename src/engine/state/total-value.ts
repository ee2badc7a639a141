/** What all legs together may be worth and are worth, and the equity of which limits are shares. @hot */
import type { InstrumentContext } from './instrument-context.ts';
import type { Hours } from '../../domain/hours.ts';
import type { RiskLimits } from '../../domain/limits.ts';
import { RateWindow } from './rate-window.ts';
import * as stated from './limits.ts';

const { hoursOf, numberOf, statedForAll, ValueLimit } = stated;
const MINUTE_MS = 60_000;

export class TotalValue {
  /** Money; Infinity for no limit, −1 while it is a share of an equity that is not known. */
  most = Infinity;
  declare private readonly contexts: readonly InstrumentContext[];
  declare private readonly limit: InstanceType<typeof ValueLimit>;
  declare private readonly leverage: number;
  /** When the last opening orders were, where their number a minute is limited for the whole bot. */
  declare readonly openRate: RateWindow | null;
  /** When the bot may open, where that is stated. */
  declare readonly hours: Hours | null;
  /** Whether any limit is a share of the equity. */
  declare readonly hasShares: boolean;

  /** Tells the equity in money, where the venue pushes and nothing is read. */
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

  /** Money of all legs, every live opening order counted as if filled. */
  get exposure(): number {
    const contexts = this.contexts;
    let sum = 0;
    for (let i = 0; i < contexts.length; i++) sum += contexts[i]!.exposure;
    return sum;
  }

  /** Before an order is judged: with limits that are shares of an equity that has to be asked for, that is done now. */
  refresh(): void {
    if (this.hasShares && this.source !== null) this.equityIs(this.source());
  }

  /** The account's equity in money, NaN while it is not known: the limits that are shares of it change. */
  equityIs(equity: number): void {
    this.limit.equityIs(equity);
    this.most = this.limit.money;
    if (this.leverage !== Infinity) this.most = Number.isNaN(equity) ? -1 : Math.min(this.most, Math.max(0, equity) * this.leverage);
    if (this.hasShares) for (const context of this.contexts) context.equityIs(equity);
  }
}
