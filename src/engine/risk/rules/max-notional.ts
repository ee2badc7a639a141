/** Rule: the value of an opening order, of its leg and of all legs stays below the limits, even if every live order fills. @hot */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/command.ts';
import { formatMoneyShort } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Leg } from '../../state/leg.ts';
import type { TotalValue } from '../../state/total-value.ts';
import type { Order } from '../../state/orders.ts';
import { highestPrice } from './highest-price.ts';
import type { RiskRule } from './rule.ts';

const { PLACE_SPOT } = codes;

export class MaxNotionalRule implements RiskRule {
  readonly name = 'max-notional';
  declare private readonly total: TotalValue;

  constructor(total: TotalValue) {
    this.total = total;
  }

  /** For an opening command; `added` are its additional lots. */
  allows(command: Command, context: InstrumentContext, leg: Leg, added: number): boolean {
    if (context.maxOrderValue === Infinity && context.maxLegValue === Infinity && this.total.most === Infinity) return true;
    const unitValue = context.instrument.unitValue;
    const price = highestPrice(command, context);
    if (command.size * price * unitValue > context.maxOrderValue) return false;
    if (command.kind === PLACE_SPOT) return true;
    if (context.maxLegValue !== Infinity && legValue(context, leg, price, added) > context.maxLegValue) return false;
    return this.total.most === Infinity || this.total.exposure + added * price * unitValue <= this.total.most;
  }

  why(command: Command, context: InstrumentContext, old: Order | null): string {
    const unitValue = context.instrument.unitValue;
    const quoteCoin = context.instrument.quoteCoin;
    const total = this.total;
    const price = highestPrice(command, context);
    const added = old === null ? command.size : old.growth(command.size);
    const asked = command.size * price * unitValue;
    if (asked > context.maxOrderValue) return said(context.maxOrderValue, 'an order', asked, quoteCoin);
    const leg = legValue(context, context.leg(command.side), price, added);
    if (leg > context.maxLegValue) return said(context.maxLegValue, 'a leg', leg, quoteCoin);
    return said(total.most, 'all legs together', total.exposure + added * price * unitValue, quoteCoin);
  }
}

function said(most: number, what: string, asked: number, coin: string): string {
  if (most < 0) return 'the limit is a share of the equity, which is not known yet';
  return 'at most ' + shown(most) + ' ' + coin + ' ' + what + ', ' + shown(asked) + ' if every live order fills';
}

function shown(money: number): string {
  return formatMoneyShort(Math.ceil(money / 1e6) * 1e6);
}

/** Value of the leg if every live opening order fills, at the market price or the order's price, whichever is higher. */
function legValue(context: InstrumentContext, leg: Leg, price: number, added: number): number {
  const reference = context.judged.reference;
  return (leg.most + leg.opening + added) * (reference > price ? reference : price) * context.instrument.unitValue;
}
