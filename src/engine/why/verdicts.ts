/**
 * Asks each rule what it would say now about the last order that a strategy asked for, or about the smallest one that its market allows.
 */
import { emptyCommand, type Command } from '../../domain/orders/command.ts';
import { CLOSE, LONG, MARKET, OPEN, PLACE, PLACE_SPOT } from '../../domain/codes.ts';
import { makesOrder } from '../../domain/orders/command-traits.ts';
import { settingsOf, type LimitKey } from '../../domain/limits.ts';
import type { Risk } from '../risk/risk.ts';
import { statedOf } from '../state/limits/limits.ts';
import type { Activity } from '../state/activity/activity.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { RuleVerdict } from '../../domain/messages/why.ts';
import type { Subject } from './subject.ts';

/**
 * Whether rules are asked about the smallest order: there is no last intent, or it was allowed and was to close more than is left to close. That
 * was done meanwhile, and says nothing of what the strategy may do now.
 */
export function asksSmallest({ activity: { askedAt, last, rule }, context }: Pick<Subject, 'activity' | 'context'>): boolean {
  if (askedAt === -Infinity) return true;
  if (rule !== '' || last.kind !== PLACE || last.effect !== CLOSE) return false;
  const { minLots, closing } = last.side === LONG ? context.long : context.short;
  return minLots - closing < last.size;
}

export function verdictsNow(subject: Omit<Subject, 'verdicts'>): RuleVerdict[] {
  const { risk, context, owner, activity, now } = subject;
  const command = asksSmallest(subject) ? smallest(context, now) : again(activity, context, now);
  const request = risk.asks(command, context, null, command.size, owner);
  const rules = risk.judges(command, context).filter(({ name }) => name !== 'pass');
  return rules.map((rule) => {
    const isAllowed = rule.allows(request);
    return { rule: rule.name, isAllowed, text: isAllowed ? '' : rule.why(request), settings: valuesOf(rule.name, risk, context) };
  });
}

function valuesOf(rule: string, { limits }: Risk, { instrument }: InstrumentContext): string[] {
  return settingsOf(rule).map((key) => `${key} ${statedOf(limits, key.replace('risk.', '') as LimitKey, instrument)}`);
}

/** The last intent once more. A modify is judged as a new order. */
function again({ last }: Activity, { index, instrument }: InstrumentContext, now: number): Command {
  const isOrder = makesOrder(last.kind) && Number.isSafeInteger(last.size) && last.size > 0;
  return { ...emptyCommand(), ...last, size: isOrder ? last.size : instrument.minSize, instrument: index, time: now };
}

function smallest({ index, instrument, judged }: InstrumentContext, now: number): Command {
  const { minSize, minNotional, unitValue, product } = instrument;
  const byValue = judged.reference > 0 ? Math.ceil(minNotional / (judged.reference * unitValue)) : minSize;
  const kind = product === 'spot' ? PLACE_SPOT : PLACE;
  return {
    ...emptyCommand(),
    kind,
    instrument: index,
    side: LONG,
    effect: OPEN,
    type: MARKET,
    size: Math.max(minSize, byValue),
    time: now,
  };
}
