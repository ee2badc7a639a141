/** Measures how near each limit is. Limits of single orders, such as the largest order, have no level: their rules judge each order. */
import type { LimitLevel } from '../../domain/messages/why.ts';
import { LONG, SHORT } from '../../domain/codes.ts';
import { formatLots, formatMoneyShort } from '../../domain/instrument.ts';
import { LIMITS, type LimitAction, type LimitKey } from '../../domain/limits.ts';
import type { Guards } from '../risk/guards.ts';
import type { Losses } from '../risk/losses.ts';
import type { Risk } from '../risk/risk.ts';
import type { KernelState } from '../state/kernel-state.ts';
import type { HaltScope } from '../state/halts.ts';
import { lotsLimit, numberOf, statedForAll, statedOf } from '../state/limits/limits.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';

/** What the levels are read from. */
interface LevelSource {
  readonly core: KernelState;
  readonly risk: Risk;
  readonly losses: Losses;
  readonly guards: Guards;
}

const ACTS: Readonly<Record<LimitAction, string>> = {
  'halt-opens': 'opens halt',
  cancel: 'opens halt, orders are cancelled',
  flatten: 'opens halt, orders are cancelled, positions are closed',
};
const REFUSED = 'opens are refused';

interface Row {
  readonly scope: HaltScope;
  readonly key: LimitKey;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  readonly text: (value: number) => string;
  readonly effect: string;
  /** True if the limit is a floor: it acts below it. */
  readonly isFloor?: true;
}

const BOT: HaltScope = { kind: 'bot' };
const count = (value: number): string => String(value);
const money = (value: number): string => formatMoneyShort(Math.round(value));
const percent = (value: number): string => (value * 100).toFixed(2);

/** The nearest first; what is unknown before all others. `traded`: indices of instruments; `now` in milliseconds since 1970. */
export function levelsNow(parts: LevelSource, traded: ReadonlySet<number>, now: number): LimitLevel[] {
  const { core, risk } = parts;
  risk.total.refresh();
  const contexts = core.contexts.filter(({ index }) => traded.has(index));
  const rows = [...botRows(parts, now), ...strategyRows(parts, now), ...contexts.flatMap((context) => symbolRows(parts, context, now))];
  const levels = rows.filter(({ limit }) => limit !== Infinity).map((row) => levelOf(row, core.halts.text(row.scope)));
  return levels.toSorted((a, b) => (b.share ?? Infinity) - (a.share ?? Infinity));
}

function levelOf(row: Row, scope: string): LimitLevel {
  const { key, value, limit, unit, text, effect } = row;
  const shown = (number: number): string => (Number.isFinite(number) ? text(number) : '');
  return {
    scope,
    setting: `risk.${key}`,
    rule: LIMITS[key].rule,
    value: shown(value),
    limit: shown(limit),
    unit,
    share: shareOf(row),
    effect,
  };
}

/** A limit of 0 is always used up. The share of a floor goes on growing when the value is 0 or below. */
function shareOf({ value, limit, isFloor }: Row): number | null {
  if (!Number.isFinite(value) || !Number.isFinite(limit)) return null;
  if (isFloor === true && value > limit) return limit / value;
  if (limit === 0) return 1;
  return isFloor === true ? 2 - value / limit : value / limit;
}

function botRows({ core, risk, losses, guards }: LevelSource, now: number): Row[] {
  const coin = core.contexts[0]!.instrument.quoteCoin;
  const { exposure, most, mostByEquity, openRate } = risk.total;
  const known = (limit: number): number => (limit < 0 ? Number.NaN : limit);
  const leverage = numberOf('maxLeverage', statedForAll(risk.limits, 'maxLeverage'));
  // In money, of which an equity of 0 has no multiple.
  const times = (value: number): string => (mostByEquity > 0 ? ((value / mostByEquity) * leverage).toFixed(2) : '');
  const multiple = { value: exposure, limit: known(mostByEquity), text: times };
  return [
    { scope: BOT, key: 'maxNotionalTotal', value: exposure, limit: known(most), unit: coin, text: money, effect: REFUSED },
    { scope: BOT, key: 'maxLeverage', ...multiple, unit: '×', effect: REFUSED },
    ...(openRate === null ? [] : [rateRow(BOT, openRate.used(now), openRate.max)]),
    ...[...losses.levels(), ...guards.levels()].map(({ scope, key, value, limit, isMoney, action }): Row => {
      const floor = key === 'minEquity' ? { isFloor: true as const } : {};
      return { scope, key, value, limit, unit: isMoney ? coin : '', text: isMoney ? money : count, effect: ACTS[action], ...floor };
    }),
  ];
}

const rateRow = (scope: HaltScope, value: number, limit: number): Row => ({
  scope,
  key: 'maxOrdersPerMinute',
  value,
  limit,
  unit: '',
  text: count,
  effect: REFUSED,
});

function strategyRows({ core }: LevelSource, now: number): Row[] {
  return core.owners.flatMap(({ name, recent, openRate }): Row[] => {
    const scope: HaltScope = { kind: 'strategy', name };
    const flood = { value: recent.used(now), limit: recent.max, unit: '', text: count, effect: 'commands are refused' };
    return [
      { scope, key: 'maxIntentsPerSecond', ...flood },
      ...(openRate === null ? [] : [rateRow(scope, openRate.used(now), openRate.max)]),
    ];
  });
}

function symbolRows({ risk }: LevelSource, context: InstrumentContext, now: number): Row[] {
  const { index, instrument, judged, openRate, circuit } = context;
  const scope: HaltScope = { kind: 'symbol', instrument: index };
  const number = (key: LimitKey): number => numberOf(key, statedOf(risk.limits, key, instrument));
  const seenAt = judged.quoteSeenAt > -Infinity ? judged.quoteSeenAt : judged.seenAt;
  const age = { value: seenAt > -Infinity ? now - seenAt : Number.NaN, limit: context.maxAgeMs, unit: 'ms', text: count };
  const spread = judged.bid > 0 && judged.ask > 0 ? (judged.ask - judged.bid) / ((judged.ask + judged.bid) / 2) : Number.NaN;
  const orders = { value: context.orders.live, limit: number('maxOpenOrders'), unit: '', text: count };
  const refusals = { value: circuit.count, limit: number('maxSameRefusals'), unit: '', text: count };
  return [
    { scope, key: 'staleAfterMs', ...age, effect: REFUSED },
    { scope, key: 'maxSpread', value: spread, limit: context.maxSpread, unit: '%', text: percent, effect: REFUSED },
    { scope, key: 'maxOpenOrders', ...orders, effect: 'orders are refused, but not market orders that close' },
    { scope, key: 'maxSameRefusals', ...refusals, effect: 'only single opens are sent, as probes' },
    ...(openRate === null ? [] : [rateRow(scope, openRate.used(now), openRate.max)]),
    ...(instrument.product === 'futures' ? [LONG, SHORT].flatMap((side) => legRows(context, side, risk.limits)) : []),
  ];
}

/** Of a leg that is held, or that a live order may open. */
function legRows(context: InstrumentContext, side: number, limits: Risk['limits']): Row[] {
  const { index, instrument, judged } = context;
  const leg = context.leg(side);
  const lots = leg.maxLots + leg.opening;
  if (lots === 0) return [];
  const scope: HaltScope = { kind: 'leg', instrument: index, side };
  const mostLots = lotsLimit(statedOf(limits, 'maxPosition', instrument), instrument, Infinity);
  const value = judged.reference > 0 ? lots * judged.reference * instrument.unitValue : Number.NaN;
  const mostValue = context.maxLegValue < 0 ? Number.NaN : context.maxLegValue;
  const size = { value: lots, limit: mostLots, unit: instrument.baseCoin, text: (held: number) => formatLots(held, instrument) };
  const buffer = { value: leg.toLiquidation, limit: context.liquidationBuffer, unit: '%', text: percent, isFloor: true as const };
  return [
    { scope, key: 'maxPosition', ...size, effect: REFUSED },
    { scope, key: 'maxNotionalPosition', value, limit: mostValue, unit: instrument.quoteCoin, text: money, effect: REFUSED },
    ...(leg.total > 0 ? [{ scope, key: 'liquidationBuffer' as const, ...buffer, effect: ACTS[context.liquidationAction] }] : []),
  ];
}
