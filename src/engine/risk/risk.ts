/** Checks every intent against the risk rules; only this class approves commands. @hot */
import { assert, AssertionError } from '../../base/failure/assert.ts';
import * as codes from '../../domain/codes.ts';
import type { Approved, Command } from '../../domain/orders/command.ts';
import { isCancel } from '../../domain/orders/command-traits.ts';
import type { RuleName } from '../../domain/orders/refusals.ts';
import type { RiskLimits } from '../../domain/limits.ts';
import type { Halts } from '../state/halts.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import { lotsLimit, numberOf, statedOf } from '../state/limits/limits.ts';
import type { Order } from '../state/orders/orders.ts';
import type { Owner } from '../state/records/owner.ts';
import type { TotalValue } from '../state/account/total-value.ts';
import type { TradingState } from '../state/trading-state.ts';
import * as pace from './rules/pace.ts';
import { PRICE_RULES } from './rules/prices.ts';
import type { OrderRequest, AppliesTo, RiskRule, RuleRow, RuleSetting } from './rules/rule.ts';
import { SIZE_RULES } from './rules/sizes.ts';
import { STANDING_RULES } from './rules/standing.ts';

const { CLOSE } = codes;
const { countOpen, PACE_RULES } = pace;

/** All rules of an order, in the order in which refusals are reported. */
const ORDER_RULES = [...STANDING_RULES, ...SIZE_RULES, ...PRICE_RULES, ...PACE_RULES];

/** What the rules need to know of the engine. */
export interface RiskSource {
  readonly contexts: readonly InstrumentContext[];
  readonly total: TotalValue;
  readonly tradingState: TradingState;
  readonly halts: Halts | null;
}

/** The rules of one instrument. A place whose rule does not judge such orders, or is off, has PASS. */
interface RuleLists {
  readonly opens: readonly RiskRule[];
  readonly closes: readonly RiskRule[];
  /** Of a command that makes no order: margin and margin mode. */
  readonly others: readonly RiskRule[];
}

/** Places of a list. */
const PLACES = 23;

class Pass implements RiskRule {
  readonly name = 'pass';
  allows(): boolean {
    return true;
  }
  why(): string {
    return '';
  }
}
const PASS = new Pass();

export class Risk {
  /** After a refusal: the rule, and its explanation. */
  rule: RuleName | 'pass' | '' = '';
  detail = '';
  /** True if the order alone is more than that rule ever allows. */
  isTooLarge = false;
  /** By instrument. */
  declare private readonly rules: readonly RuleLists[];
  declare readonly total: TotalValue;
  declare readonly limits: RiskLimits;
  /** The order that is judged: one record for all. */
  private readonly request: { -readonly [K in keyof OrderRequest]: OrderRequest[K] | null } = {
    command: null,
    context: null,
    leg: null,
    old: null,
    added: 0,
    owner: null,
  };

  /** @throws ScaleError if a limit is not a decimal */
  constructor(source: RiskSource, limits: RiskLimits) {
    this.total = source.total;
    this.limits = limits;
    const rows = ORDER_RULES.filter((row) => source.contexts.some((one) => !isOff(limits, row, one)));
    assert(rows.length <= PLACES, 'more rules than allowsAll calls');
    this.rules = source.contexts.map((context) => {
      const { instrument } = context;
      const setting: RuleSetting = {
        ...source,
        context,
        number: (key) => numberOf(key, statedOf(limits, key, instrument)),
        lots: (key, most) => lotsLimit(statedOf(limits, key, instrument), instrument, most),
      };
      return {
        opens: rulesOf(rows, 'opens', setting, limits),
        closes: rulesOf(rows, 'closes', setting, limits),
        others: rulesOf(STANDING_RULES, 'all', setting, limits),
      };
    });
  }

  /**
   * Returns the approved order command, or null if a rule refused; then `rule` and `detail` say why. `old` is the order that a modify
   * replaces, or null. `added` are the lots beyond what may already fill.
   */
  approveOrder(c: Command, context: InstrumentContext, old: Order | null, added: number, owner: Owner): Approved<Command> | null {
    const rules = this.rules[context.index]!;
    const request = this.asks(c, context, old, added, owner);
    if (!this.#allows(c.effect === CLOSE ? rules.closes : rules.opens, request)) return null;
    owner.recent.add(c.time);
    if (c.effect !== CLOSE) countOpen(request, this.total);
    return c as Approved<Command>;
  }

  /** Approves a cancel. Cancels are never refused, but they count towards the flood limit. */
  approveCancel(command: Command, owner: Owner): Approved<Command> {
    if (!isCancel(command.kind)) throw new TypeError('a cancel');
    owner.recent.hasRoom(command.time);
    owner.recent.add(command.time);
    return command as Approved<Command>;
  }

  /** A close that another process has sent for this bot: nothing is left to refuse. */
  hasLeft(command: Command): Approved<Command> {
    if (command.kind !== codes.PLACE || command.effect !== codes.CLOSE) throw new TypeError('a close');
    return command as Approved<Command>;
  }

  /** Approves margin mode and margin commands: only while the kernel is armed or stopping, and within the flood limit. */
  approveMargin(command: Command, context: InstrumentContext, owner: Owner): Approved<Command> | null {
    const request = this.asks(command, context, null, 0, owner);
    if (!this.#allows(this.rules[context.index]!.others, request)) return null;
    owner.recent.add(command.time);
    return command as Approved<Command>;
  }

  /** The rules that judge such an order. Those that are off allow everything and are called "pass". */
  judges(c: Command, context: InstrumentContext): readonly RiskRule[] {
    const rules = this.rules[context.index]!;
    return c.effect === CLOSE ? rules.closes : rules.opens;
  }

  /** The order as the rules judge it: one record for all. */
  asks(command: Command, context: InstrumentContext, old: Order | null, added: number, owner: Owner): OrderRequest {
    const request = this.request;
    request.command = command;
    request.context = context;
    request.leg = context.leg(command.side);
    request.old = old;
    request.added = added;
    request.owner = owner;
    return request as OrderRequest;
  }

  /** True if no rule refuses; otherwise the first that does is stored. */
  #allows(rules: readonly RiskRule[], request: OrderRequest): boolean {
    return allowsAll(rules, request) || this.#refuse(rules, request);
  }

  #refuse(rules: readonly RiskRule[], request: OrderRequest): false {
    for (const rule of rules) {
      if (rule.allows(request)) continue;
      this.rule = rule.name;
      this.detail = rule.why(request);
      this.isTooLarge = rule.isTooLarge?.(request) ?? false;
      return false;
    }
    throw new AssertionError('an order was refused, but no rule refuses it');
  }
}

/** Each place has a call site of its own, so that V8 inlines the rule there. A loop over the list cost a sixth of W2. */
function allowsAll(r: readonly RiskRule[], request: OrderRequest): boolean {
  return (
    r[0]!.allows(request) &&
    r[1]!.allows(request) &&
    r[2]!.allows(request) &&
    r[3]!.allows(request) &&
    r[4]!.allows(request) &&
    r[5]!.allows(request) &&
    r[6]!.allows(request) &&
    r[7]!.allows(request) &&
    r[8]!.allows(request) &&
    r[9]!.allows(request) &&
    r[10]!.allows(request) &&
    r[11]!.allows(request) &&
    r[12]!.allows(request) &&
    r[13]!.allows(request) &&
    r[14]!.allows(request) &&
    r[15]!.allows(request) &&
    r[16]!.allows(request) &&
    r[17]!.allows(request) &&
    r[18]!.allows(request) &&
    r[19]!.allows(request) &&
    r[20]!.allows(request) &&
    r[21]!.allows(request) &&
    r[22]!.allows(request)
  );
}

function isOff(limits: RiskLimits, { limit }: RuleRow, { instrument }: InstrumentContext): boolean {
  return limit !== undefined && statedOf(limits, limit, instrument) === 'off';
}

/** The rules of `rows` that judge such orders; PASS for the others, and for those whose limit is off here. */
function rulesOf(rows: readonly RuleRow[], judged: AppliesTo, setting: RuleSetting, limits: RiskLimits): readonly RiskRule[] {
  // hot-ok: construction
  const rules = rows.map((row) => {
    const isIn = (row.appliesTo === 'all' || row.appliesTo === judged) && !isOff(limits, row, setting.context);
    return isIn ? new row.rule(setting) : PASS;
  });
  return [...rules, ...Array.from({ length: PLACES - rules.length }, () => PASS)];
}
